/** From samples to figures: medians, ratios to a yardstick, budgets, and the table a person reads. */

export function summarise(rows, samples) {
  const median = (key) => middle(samples.map((sample) => sample[key]));
  return rows.map(({ key, name, unit, yardstick, times: timesAtMost, atMost }) => {
    const value = median(key);
    const times = yardstick === undefined ? undefined : value / median(yardstick);
    const ok = (timesAtMost === undefined || times <= timesAtMost) && (atMost === undefined || value <= atMost);
    return { key, name, unit, median: value, times, yardstick, budget: { times: timesAtMost, atMost }, ok };
  });
}

export function table(figures) {
  const header = ['row', 'median', 'x yardstick', 'budget', ''];
  const body = figures.map(({ name, unit, median, times, budget, ok }) => [
    name,
    amount(median, unit),
    times === undefined ? '' : times.toFixed(2),
    budgetText(budget, unit),
    hasBudget(budget) ? (ok ? 'ok' : 'OVER') : '',
  ]);
  const lines = [header, ...body];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const align = (cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]));
  return lines.map((line) => line.map(align).join('  ').trimEnd()).join('\n');
}

function middle(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

function hasBudget({ times, atMost }) {
  return times !== undefined || atMost !== undefined;
}

function budgetText({ times, atMost }, unit) {
  if (times !== undefined) return `<= ${times} x`;
  return atMost === undefined ? '' : `<= ${atMost} ${unit}`;
}

function amount(value, unit) {
  return unit === 'B' ? `${Math.round(value)} B` : `${value.toFixed(value < 10 ? 2 : 1)} ${unit}`;
}
