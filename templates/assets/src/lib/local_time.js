// Times in the browser's language and zone.

const STYLES = {
  time: { timeStyle: 'short' },
  date: { dateStyle: 'long' },
  datetime: { dateStyle: 'short', timeStyle: 'short' },
};

const formatters = new Map();

// `options` may fix locale and timeZone. Answers '' for what is no time.
export function formatTime(iso, style, options = {}) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? '' : formatter(style, options).format(date);
}

function formatter(style, { locale, timeZone }) {
  const key = `${style}|${locale}|${timeZone}`;

  if (!formatters.has(key)) {
    formatters.set(key, new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone }));
  }
  return formatters.get(key);
}
