// Rows that may be wider than the screen: a fade at an edge shows that there is more beyond it.
const seen = new WeakSet();

/** Marks the edges of a row beyond which there is more, now and whenever it is scrolled or resized. */
export function showEdges(row) {
  const mark = () => {
    row.classList.toggle("more-before", row.scrollLeft > 1);
    row.classList.toggle("more-after", row.scrollLeft < row.scrollWidth - row.clientWidth - 1);
  };
  mark();
  if (seen.has(row)) return;
  seen.add(row);
  row.addEventListener("scroll", mark, { passive: true });
  new ResizeObserver(mark).observe(row);
}
