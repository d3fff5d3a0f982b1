#!/usr/bin/env node
/*
 * The table of assets as C: the path of each, and the bytes of those that the
 * module serves itself because their address is not below /assets.
 *
 *   assets.js --assets DIR --out FILE
 *
 * DIR is what templates/assets/build.mjs made.  FILE is written only when its
 * content changes.  Silent on success, otherwise one line and exit code 1.
 */

'use strict';

const fs = require('fs');
const path = require('path');

// Served at /account/logo, /users/.../avatar and /service-worker.js.
const EMBEDDED = [
  'images/default-bot-avatar.svg',
  'images/logo-small.png',
  'images/logo.png',
  'service_worker.js',
];


function fail(message) {
  process.stderr.write(`assets.js: ${message}\n`);
  process.exit(1);
}


function option(name) {
  const at = process.argv.indexOf(`--${name}`);
  if (at < 0 || !process.argv[at + 1]) {
    fail('usage: assets.js --assets DIR --out FILE');
  }
  return process.argv[at + 1];
}


// A byte array; string literals of this length are not portable.
function bytes(name, content) {
  const lines = [];
  for (let i = 0; i < content.length; i += 16) {
    lines.push('    ' + [...content.subarray(i, i + 16)].join(', '));
  }
  return `static u_char  ${name}[] = {\n${lines.join(',\n')}\n};\n`;
}


const dir = option('assets');
const out = option('out');
let files;

try {
  files = JSON.parse(fs.readFileSync(path.join(dir, 'manifest.json'))).files;
} catch (e) {
  fail(e.message);
}

const arrays = [];
const rows = [];

for (const name of Object.keys(files).sort()) {
  let data = 'ngx_null_string';

  if (EMBEDDED.includes(name)) {
    const array = `ngx_campfire_view_asset_${rows.length}`;
    const file = path.join(dir, path.basename(files[name].path));
    const content = fs.readFileSync(file);
    arrays.push(bytes(array, content));
    data = `{ sizeof(${array}), ${array} }`;
  }

  rows.push(`    { "${name}", ngx_string("${files[name].path}"),\n`
            + `      ${data} },\n`);
}

for (const name of EMBEDDED) {
  if (!files[name]) {
    fail(`${name} is not in ${path.join(dir, 'manifest.json')}`);
  }
}

const text = `
/*
 * Made by templates/compiler/assets.js.
 */

#ifndef _NGX_CAMPFIRE_VIEW_ASSET_TABLE_H_INCLUDED_
#define _NGX_CAMPFIRE_VIEW_ASSET_TABLE_H_INCLUDED_


#include "views/ngx_campfire_view_asset.h"


${arrays.join('\n')}

static const ngx_campfire_view_asset_t  ngx_campfire_view_assets[] = {
${rows.join('')}    { NULL, ngx_null_string, ngx_null_string }
};


#endif /* _NGX_CAMPFIRE_VIEW_ASSET_TABLE_H_INCLUDED_ */
`;

if (!fs.existsSync(out) || fs.readFileSync(out, 'utf8') !== text) {
  fs.writeFileSync(out, text);
}
