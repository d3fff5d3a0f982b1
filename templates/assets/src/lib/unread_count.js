let shown = null;

export function titleWithCount(title, count) {
  const plain = title.replace(/^\(\d+\) /, '');
  return count > 0 ? `(${count}) ${plain}` : plain;
}

export function showUnreadCount(count) {
  const title = titleWithCount(document.title, count);
  if (title !== document.title) {
    document.title = title;
  }

  if (count !== shown) {
    shown = count;
    const done = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
    done?.catch(() => {});
  }
}
