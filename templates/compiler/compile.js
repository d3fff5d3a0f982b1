#!/usr/bin/env node
/*
 * The template compiler: templates/{pages,partials,streams,layouts}/NAME.html
 * become C functions that append to the caller's buffer.  The language is
 * described in README.md here.
 *
 *   compile.js --templates DIR --manifest FILE --out DIR [--include FILE]
 *
 * --manifest  build/assets/manifest.json; read when a template names an asset
 * --include   the header that declares ngx_campfire_view_ctx_t, by default
 *             views/ngx_campfire_view.h
 * --depend    accepted, and prints nothing: an output is written only when
 *             its content changes, so make needs no list of dependencies
 *
 * OUT receives NAME.c per template and ngx_campfire_views.h.  Generated files
 * whose template is gone are removed; other files there are left alone.
 *
 * Three steps: a file is cut into text and tags (scanner.js), these become a
 * flat list of checked operations (parser.js), and when all views are known,
 * C is made of it (generator.js).  Expressions stay C (expression.js): their
 * tokens are searched for what could have an effect; their types are left to
 * the C compiler, for which #line names the template.
 *
 * Silent on success.  Otherwise FILE:LINE: message on standard error, one
 * for each bad file, exit code 1, and nothing is written.
 */

'use strict';

const fs = require('fs');
const path = require('path');

const { TemplateError, readFile, reason } = require('./source');
const { Parser } = require('./parser');
const { Generator, generateHeader, HEADER, MARK } = require('./generator');

const FOLDERS = ['layouts', 'pages', 'partials', 'streams'];


class Project {
  constructor(options) {
    this.templates = options.templates.replace(/\/+$/, '') || '/';
    this.manifest = options.manifest;
    this.files = null;
  }

  // The path of an asset.  The manifest is read when first needed.
  asset(name, fail) {
    if (this.files === null) {
      this.files = this.readManifest(fail);
    }

    const entry = Object.prototype.hasOwnProperty.call(this.files, name)
                  ? this.files[name] : null;
    if (!entry) {
      fail(`unknown asset "${name}" (see ${this.manifest})`);
    }
    if (typeof entry.path !== 'string' || !/^\/[A-Za-z0-9_.\/~-]*$/.test(entry.path)) {
      fail(`the path of asset "${name}" in ${this.manifest} is unusable`);
    }
    return entry.path;
  }

  readManifest(fail) {
    let manifest;

    try {
      manifest = JSON.parse(readFile(this.manifest).toString('utf8'));
    } catch (e) {
      fail(`the asset manifest ${this.manifest} cannot be used: ${reason(e)}`);
    }
    if (!manifest || typeof manifest.files !== 'object' || !manifest.files) {
      fail(`the asset manifest ${this.manifest} has no "files"`);
    }
    return manifest.files;
  }

  // [folder, file name] of all templates, in an order that never varies.
  list() {
    const found = [];

    if (!fs.existsSync(this.templates)) {
      throw new TemplateError(this.templates, 0, 'no such directory');
    }

    for (const folder of FOLDERS) {
      const dir = path.posix.join(this.templates, folder);
      if (!fs.existsSync(dir)) {
        continue;
      }

      for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
        if (entry.isDirectory()) {
          throw new TemplateError(path.posix.join(dir, entry.name), 0,
              `views lie directly in ${folder}/`);
        }
        if (entry.name.endsWith('.html') && !entry.name.startsWith('.')) {
          found.push([folder, entry.name]);
        }
      }
    }

    if (found.length === 0) {
      throw new TemplateError(this.templates, 0, 'no templates found');
    }
    return found.sort((a, b) => (a.join('/') < b.join('/') ? -1 : 1));
  }

  // All views by name, or the errors of all files.
  parse(errors) {
    const views = new Map();

    for (const [folder, fileName] of this.list()) {
      collect(errors, () => {
        const view = new Parser(this, folder, fileName).parse();
        const other = views.get(view.name);
        if (other) {
          throw new TemplateError(view.file, view.line,
              `the view ${view.name} is in ${other.file}, too`);
        }
        views.set(view.name, view);
      });
    }

    return [...views.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}


function collect(errors, step) {
  try {
    step();
  } catch (e) {
    if (!(e instanceof TemplateError)) {
      throw e;
    }
    errors.push(e.message);
  }
}


// That calls name a view of the right kind, with as many arguments.
function checkCalls(view, byName) {
  for (const op of view.ops) {
    if (!['render', 'begin'].includes(op.op)) {
      continue;
    }

    const tag = op.op === 'begin' ? 'layout' : 'render';
    const callee = byName.get(op.name);
    const fail = (message) => {
      throw new TemplateError(view.file, op.line, message);
    };

    if (!callee) {
      fail(`{% ${tag} ${op.name} %}: there is no such view`);
    }
    if ((callee.folder === 'layouts') !== (tag === 'layout')) {
      fail(tag === 'layout' ? `{% layout ${op.name} %}: that is no layout`
                            : `{% render ${op.name} %}: use {% layout %} for a layout`);
    }
    if (callee.params.length !== op.args.length) {
      fail(`{% ${tag} ${op.name} %} takes ${callee.params.length} arguments, `
           + `not ${op.args.length}`);
    }
  }
}


// Names that two functions would share: a layout "x" owns x_begin and x_end.
function checkNames(views) {
  const owners = new Map();

  for (const view of views) {
    for (const suffix of Generator.suffixes(view)) {
      const owner = owners.get(view.name + suffix);
      if (owner) {
        throw new TemplateError(view.file, view.line,
            `the name ${view.name + suffix} belongs to ${owner.file}`);
      }
      owners.set(view.name + suffix, view);
    }
  }
}


function writeOutputs(dir, outputs) {
  fs.mkdirSync(dir, { recursive: true });

  for (const [name, content] of outputs) {
    const file = path.join(dir, name);

    if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === content) {
      continue;
    }
    fs.writeFileSync(`${file}.new`, content);
    fs.renameSync(`${file}.new`, file);
  }

  for (const name of fs.readdirSync(dir)) {
    const file = path.join(dir, name);

    if (/\.[ch](\.new)?$/.test(name) && !outputs.has(name)
        && fs.statSync(file).isFile()
        && fs.readFileSync(file, 'utf8').startsWith(MARK))
    {
      fs.unlinkSync(file);
    }
  }
}


function parseArguments(argv) {
  const options = {
    templates: null, manifest: null, out: null,
    include: 'views/ngx_campfire_view.h',
  };

  for (let i = 0; i < argv.length; i++) {
    const name = argv[i].replace(/^--/, '');

    if (argv[i] === '--depend') {
      continue;
    }
    if (!argv[i].startsWith('--') || !Object.keys(options).includes(name)) {
      throw new TemplateError('compile.js', 0, `unknown argument '${argv[i]}'`);
    }
    if (!argv[i + 1]) {
      throw new TemplateError('compile.js', 0, `${argv[i]} needs a value`);
    }
    options[name] = argv[++i];
  }

  for (const name of Object.keys(options)) {
    if (options[name] === null) {
      throw new TemplateError('compile.js', 0, `--${name} is missing`);
    }
  }
  if (/["\\\r\n]/.test(options.include)) {
    throw new TemplateError('compile.js', 0, '--include must name a header');
  }
  return options;
}


function main(argv) {
  const errors = [];

  collect(errors, () => {
    const options = parseArguments(argv);
    const views = new Project(options).parse(errors);

    if (errors.length) {
      return;       // a call of a view that failed would only be an echo
    }

    const byName = new Map(views.map((v) => [v.name, v]));
    views.forEach((view) => collect(errors, () => checkCalls(view, byName)));
    collect(errors, () => checkNames(views));

    if (errors.length) {
      return;
    }

    const outputs = new Map();
    for (const view of views) {
      outputs.set(`${view.name}.c`, new Generator(view).source());
    }
    outputs.set(HEADER, generateHeader(views, options.include));
    writeOutputs(options.out, outputs);
  });

  return errors;
}


let failures;
try {
  failures = main(process.argv.slice(2));
} catch (e) {
  failures = [`compile.js: ${reason(e)}`];
}

if (failures.length) {
  process.stderr.write(failures.join('\n') + '\n');
  process.exitCode = 1;
}
