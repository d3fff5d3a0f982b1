#!/usr/bin/env node
/*
 * Bundles what browsers get: scripts, the style sheet and pictures.
 *
 *   node build.mjs --out DIR --modules NODE_MODULES_DIR [--prefix /assets]
 *
 * DIR receives NAME-HASH.EXT files, for each text file a twin NAME-HASH.EXT.gz,
 * and manifest.json, which maps the names that templates use to paths:
 *
 *   { "files": { "app.js": { "path": "/assets/app-HASH.js" }, ... } }
 *
 * Hashes come from the content, so the same sources always give the same
 * files. A run writes nothing that is there already and removes nothing:
 * pages in open tabs still load the chunks of the build before. Names are
 * listed in README.md.
 *
 * Silent on success, otherwise one line on standard error and exit code 1.
 */

import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const top = path.dirname(fileURLToPath(import.meta.url));
const source = path.join(top, 'src');
const images = path.join(top, 'images');

// The oldest browsers that get any page but the one telling them so.
const target = ['chrome120', 'firefox121', 'safari17.2', 'opera106'];

const text = /\.(js|css|svg|json|txt)$/;


function fail(message) {
  process.stderr.write(`build.mjs: ${message}\n`);
  process.exit(1);
}


function parseOptions(argv) {
  const options = { prefix: '/assets' };

  for (let i = 0; i < argv.length; i += 2) {
    const name = argv[i].replace(/^--/, '');
    if (!['out', 'modules', 'prefix'].includes(name) || !argv[i + 1]) {
      fail('usage: build.mjs --out DIR --modules NODE_MODULES_DIR'
           + ' [--prefix /assets]');
    }
    options[name] = argv[i + 1];
  }

  if (!options.out || !options.modules) {
    fail('usage: build.mjs --out DIR --modules NODE_MODULES_DIR'
         + ' [--prefix /assets]');
  }

  options.out = path.resolve(options.out);
  options.modules = path.resolve(options.modules);
  options.prefix = options.prefix.replace(/\/+$/, '');
  return options;
}


function loadBundler(modules) {
  try {
    return createRequire(path.join(modules, 'index.js'))('esbuild');
  } catch {
    return fail(`esbuild is not in ${modules}: run npm ci`);
  }
}


// What all bundles have in common.  Uploads from within the editor are
// refused, so the library for them is replaced by an empty one.
function settings(modules) {
  return {
    absWorkingDir: top,
    alias: {
      '@rails/activestorage': path.join(source, 'lib/no_direct_upload.js'),
      'lexxy-styles': path.join(modules,
                                '@37signals/lexxy/dist/stylesheets/lexxy.css'),
    },
    bundle: true,
    charset: 'utf8',
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
    minify: true,
    nodePaths: [modules],
    outdir: path.join(top, 'out'),
    target,
    write: false,
  };
}


async function bundle(bundler, options, more) {
  try {
    const result = await bundler.build({ ...settings(options.modules), ...more });
    if (result.warnings.length > 0) {
      fail(describe(result.warnings[0]));
    }
    return result;
  } catch (e) {
    return fail(e.errors?.length ? describe(e.errors[0]) : e.message);
  }
}


function describe(message) {
  const where = message.location
              ? `${message.location.file}:${message.location.line}: ` : '';
  return where + message.text;
}


// Adds what a bundle made to the files, and its entries to the manifest.
function collect(result, names, build) {
  for (const file of result.outputFiles) {
    build.files.set(path.basename(file.path), Buffer.from(file.contents));
  }

  for (const [output, meta] of Object.entries(result.metafile.outputs)) {
    const name = names[meta.entryPoint];
    if (name) {
      build.manifest[name] = path.basename(output);
    }
  }
}


function collectImages(build) {
  if (!fs.existsSync(images)) {
    fail(`${images} is missing`);
  }

  for (const file of fs.readdirSync(images).sort()) {
    const { name, ext } = path.parse(file);
    const content = fs.readFileSync(path.join(images, file));
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
    const output = `${name}-${hash}${ext}`;

    build.files.set(output, content);
    build.manifest[`images/${file}`] = output;
  }
}


// A file that is being served must never be seen half written.
function write(file, content) {
  if (fs.existsSync(file) && fs.readFileSync(file).equals(content)) {
    return;
  }
  fs.writeFileSync(`${file}.new`, content);
  fs.renameSync(`${file}.new`, file);
}


const options = parseOptions(process.argv.slice(2));
const bundler = loadBundler(options.modules);
const build = { files: new Map(), manifest: {} };

for (const name of ['app.js', 'editor.js', 'app.css', 'service_worker.js']) {
  if (!fs.existsSync(path.join(source, name))) {
    fail(`${path.join(source, name)} is missing`);
  }
}

collect(await bundle(bundler, options, {
  entryPoints: ['src/app.js', 'src/editor.js', 'src/app.css'],
  format: 'esm',
  splitting: true,
}), {
  'src/app.js': 'app.js',
  'src/editor.js': 'editor.js',
  'src/app.css': 'app.css',
}, build);

// Not a module: browsers differ in whether service workers may be one.
collect(await bundle(bundler, options, {
  entryPoints: ['src/service_worker.js'],
  format: 'iife',
}), { 'src/service_worker.js': 'service_worker.js' }, build);

collectImages(build);

try {
  fs.mkdirSync(options.out, { recursive: true });

  for (const [name, content] of build.files) {
    write(path.join(options.out, name), content);
    if (text.test(name)) {
      write(path.join(options.out, `${name}.gz`),
            gzipSync(content, { level: 9 }));
    }
  }

  const files = {};
  for (const name of Object.keys(build.manifest).sort()) {
    files[name] = { path: `${options.prefix}/${build.manifest[name]}` };
  }
  write(path.join(options.out, 'manifest.json'),
        Buffer.from(`${JSON.stringify({ files }, null, 2)}\n`));
} catch (e) {
  fail(e.message);
}
