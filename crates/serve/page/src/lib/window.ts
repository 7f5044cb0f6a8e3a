// Long lists show only the rows in sight.

export interface Window { first: number; last: number; before: number; after: number }

/** Which of `n` rows of one height are near what is scrolled to. */
export function windowOf(n: number, rowHeight: number, scrolled: number, height: number, spare = 12): Window {
  const first = Math.max(0, Math.min(n, Math.floor(scrolled / rowHeight) - spare));
  const last = Math.min(n, Math.ceil((scrolled + height) / rowHeight) + spare);
  return { first, last, before: first * rowHeight, after: Math.max(0, n - last) * rowHeight };
}
