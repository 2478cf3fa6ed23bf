/** From samples to figures: medians, ratios to a yardstick, budgets, peers, and the table a person reads. */

export function summarise(rows, samples) {
  const median = (key) => middle(samples.map((sample) => sample[key]));
  // What nobody measured in this run has no row.
  const measured = rows.filter(({ key }) => samples.some((sample) => sample[key] !== undefined));
  return measured.map(({ key, name, unit, yardstick, times: timesAtMost, atMost }) => {
    const value = median(key);
    const times = yardstick === undefined ? undefined : value / median(yardstick);
    const ok = (timesAtMost === undefined || times <= timesAtMost) && (atMost === undefined || value <= atMost);
    const peers = peerMedians(key, samples);
    return { key, name, unit, median: value, times, yardstick, budget: { times: timesAtMost, atMost }, ok, peers };
  });
}

function peerMedians(key, samples) {
  const names = Object.keys(samples[0]?.peers ?? {});
  const medians = names.map((name) => [name, middle(samples.map((sample) => sample.peers[name][key]))]);
  return Object.fromEntries(medians.filter(([, value]) => value !== undefined));
}

export function table(figures) {
  const others = [...new Set(figures.flatMap(({ peers }) => Object.keys(peers)))];
  const header = ['row', 'median', 'x yardstick', 'budget', '', ...others];
  const body = figures.map(({ name, unit, median, times, budget, ok, peers }) => [
    name,
    amount(median, unit),
    times === undefined ? '' : times.toFixed(2),
    budgetText(budget, unit),
    hasBudget(budget) ? (ok ? 'ok' : 'OVER') : '',
    ...others.map((one) => (peers[one] === undefined ? '' : amount(peers[one], unit))),
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
