/*
 * Expressions: C, cut into tokens; what could have an effect is refused.
 * Every function takes fail(message), which throws with file and line.
 */

'use strict';

const OPERATORS = [
  '<<=', '>>=', '...',
  '->', '++', '--', '<<', '>>', '<=', '>=', '==', '!=', '&&', '||',
  '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=',
  '//', '/*', '*/', '<:', ':>', '<%', '%>', '%:',
];
const SINGLE = '()[]<>+-*/%&|^!~?:.,=';
const REFUSED = {
  '++': 'an increment', '--': 'a decrement',
  '//': 'a comment', '/*': 'a comment', '*/': 'a comment',
  '<:': 'a digraph', ':>': 'a digraph', '<%': 'a digraph',
  '%>': 'a digraph', '%:': 'a digraph', '...': "'...'",
};

const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_.])*/y;
const SPACE = /[ \t\r\n]+/y;


function match(regexp, text, at) {
  regexp.lastIndex = at;
  const found = regexp.exec(text);
  return found ? found[0] : '';
}


// The string or character constant at `at`, or '' when it does not end there.
function quotedAt(text, at) {
  const quote = text[at];

  if (quote !== '"' && quote !== "'") {
    return '';
  }
  for (let i = at + 1; i < text.length && text[i] !== '\n'; i++) {
    if (text[i] === quote) {
      return text.slice(at, i + 1);
    }
    if (text[i] === '\\') {
      i++;
    }
  }
  return '';
}


/*
 * Cuts C into tokens {kind, text, space}, where space says that white space
 * stood in front; fail(message) is called for what no expression may contain.
 */
function tokenize(text, fail) {
  const tokens = [];
  let space = false;

  for (let at = 0; at < text.length;) {
    const blank = match(SPACE, text, at);
    if (blank) {
      space = true;
      at += blank.length;
      continue;
    }

    let kind = 'word';
    let token = match(WORD, text, at);

    if (!token) {
      kind = 'number';
      token = match(NUMBER, text, at);
    }
    if (!token) {
      kind = 'quoted';
      token = quotedAt(text, at);
    }
    if (!token) {
      kind = 'operator';
      token = OPERATORS.find((o) => text.startsWith(o, at))
              || (SINGLE.includes(text[at]) ? text[at] : '');
    }
    if (!token) {
      fail(/["']/.test(text[at]) ? 'a string without its end'
                                 : `unexpected '${text[at]}'`);
    }

    tokens.push({ kind, text: token, space });
    space = false;
    at += token.length;
  }

  return tokens;
}


function join(tokens) {
  return tokens.map((t, i) => (i && t.space ? ' ' : '') + t.text).join('');
}


// Nothing with an effect: no calls, assignments, increments or statements.
function checkExpression(tokens, fail) {
  const open = [];

  if (tokens.length === 0) {
    fail('an expression is missing');
  }

  tokens.forEach((token, i) => {
    const { kind, text } = token;
    const before = i ? tokens[i - 1] : null;

    if (kind !== 'operator') {
      return;
    }
    if (text in REFUSED) {
      fail(`${REFUSED[text]} in an expression`);
    }
    if (/=$/.test(text) && !['==', '!=', '<=', '>='].includes(text)) {
      fail(`an assignment ('${text}') in an expression`);
    }
    if (text === '(' && before
        && (before.kind !== 'operator' || [')', ']'].includes(before.text)))
    {
      fail(`a call ('${before.text}(') in an expression`);
    }
    if (text === '(' || text === '[') {
      open.push(text);
    }
    if (text === ')' || text === ']') {
      if (open.pop() !== (text === ')' ? '(' : '[')) {
        fail(`'${text}' without its opening in an expression`);
      }
    }
    if (text === ',') {
      fail('a comma in an expression');
    }
  });

  if (open.length) {
    fail(`'${open.pop()}' without its end in an expression`);
  }
}


// Drops parentheses around the whole: clang warns of if ((a == b)).
function unwrap(tokens) {
  for (;;) {
    let depth = 0;
    const end = tokens.findIndex((t) => {
      depth += t.text === '(' ? 1 : t.text === ')' ? -1 : 0;
      return depth === 0;
    });

    if (end < 1 || end !== tokens.length - 1 || tokens[0].text !== '(') {
      return tokens;
    }
    tokens = tokens.slice(1, -1);
  }
}


function expressionOf(tokens, fail) {
  checkExpression(tokens, fail);

  const inner = unwrap(tokens);
  if (inner.length === 0) {
    fail('an expression is missing');
  }
  return join(inner);
}


function splitAtCommas(tokens) {
  const parts = [[]];
  let depth = 0;

  for (const token of tokens) {
    if (token.kind === 'operator') {
      depth += '(['.includes(token.text) ? 1 : ')]'.includes(token.text) ? -1 : 0;
    }
    if (token.text === ',' && depth === 0) {
      parts.push([]);
    } else {
      parts[parts.length - 1].push(token);
    }
  }

  return parts.length === 1 && parts[0].length === 0 ? [] : parts;
}


// "NAME(a, b)" as {name, parts}; parts are lists of tokens.
function callOf(tokens, what, fail) {
  const [name, open] = tokens;
  const last = tokens[tokens.length - 1];

  if (tokens.length < 3 || name.kind !== 'word' || open.text !== '('
      || last.text !== ')')
  {
    fail(`${what} must be NAME(...)`);
  }

  return { name: name.text, parts: splitAtCommas(tokens.slice(2, -1)) };
}


// "TYPE name" or "TYPE *name" as {type, name}.
function declarationOf(tokens, fail) {
  const name = tokens[tokens.length - 1];
  const type = tokens.slice(0, -1);

  if (type.length === 0 || name.kind !== 'word' || type[0].kind !== 'word'
      || !type.every((t) => t.kind === 'word' || t.text === '*'))
  {
    fail(`'${join(tokens)}' must be TYPE name`);
  }
  if (name.text === 'view' || name.text === 'out' || /^i_\d+$/.test(name.text)) {
    fail(`the name '${name.text}' is taken, choose another`);
  }

  const stars = type.filter((t) => t.text === '*').length;
  const text = join(type).replace(/\s*\*\s*/g, '*').replace(/\**$/, ' $&');
  return { text: text + name.text, name: name.text, stars };
}


module.exports = {
  match, WORD, quotedAt, tokenize, join, expressionOf, callOf, declarationOf,
};
