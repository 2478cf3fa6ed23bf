/** What stands on a headless terminal as an SVG: one text for each run of cells that look alike. */

const [cellWidth, cellHeight, fontSize, margin] = [8.4, 18, 14, 12];
const ground = '#1b1d23';
const ink = '#d8dae0';
/** The sixteen colours of a dark terminal; the others are computed as every terminal does. */
const named = [
  ...['#1b1d23', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#abb2bf'],
  ...['#5c6370', '#e88388', '#a8cc8c', '#ebcb8b', '#7fbbf3', '#d290e4', '#7cc7d0', '#ffffff'],
];

export function svgOf(view, { columns, rows, title }) {
  const { active } = view.buffer;
  const parts = [];
  for (let row = 0; row < rows; row++) {
    const line = active.getLine(active.viewportY + row);
    if (line) parts.push(...rowParts(line, row, columns));
  }
  const width = Math.round(columns * cellWidth + 2 * margin);
  const height = rows * cellHeight + 2 * margin;
  const font = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${ground}"/>`,
    `<g font-family="${font}" font-size="${fontSize}" fill="${ink}" xml:space="preserve">`,
    ...parts,
    '</g>',
    '</svg>\n',
  ].join('\n');
}

function rowParts(line, row, columns) {
  const runs = [];
  for (let column = 0; column < columns; column++) {
    const cell = line.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const look = lookOf(cell);
    const chars = cell.getChars() || ' ';
    const last = runs.at(-1);
    if (last && last.key === look.key) last.text += chars;
    else runs.push({ ...look, column, text: chars, cells: 0 });
    runs.at(-1).cells += cell.getWidth();
  }
  return runs.flatMap((run) => drawn(run, row));
}

function drawn({ column, text, cells, color, back, bold, italic, underline, strike }, row) {
  const x = round(margin + column * cellWidth);
  const y = margin + row * cellHeight;
  const width = round(cells * cellWidth);
  const box = back ? [`<rect x="${x}" y="${y}" width="${width}" height="${cellHeight}" fill="${back}"/>`] : [];
  if (text.trim() === '') return box;
  const style = [
    ...(color ? [`fill="${color}"`] : []),
    ...(bold ? ['font-weight="bold"'] : []),
    ...(italic ? ['font-style="italic"'] : []),
    ...(underline || strike ? [`text-decoration="${underline ? 'underline' : 'line-through'}"`] : []),
  ];
  // The blanks around the words need no bytes; the length keeps columns in line whatever the font is.
  const start = text.length - text.trimStart().length;
  const words = text.trim();
  const left = round(x + start * cellWidth);
  const long = round((cells - (text.length - words.length)) * cellWidth);
  const place = `x="${left}" y="${y + 13}" textLength="${long}"`;
  return [...box, `<text ${[place, ...style].join(' ')}>${escaped(words)}</text>`];
}

function lookOf(cell) {
  const isInverse = cell.isInverse() !== 0;
  const front = colourOf(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor());
  const behind = colourOf(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor());
  const color = isInverse ? (behind ?? ground) : front;
  const back = isInverse ? (front ?? ink) : behind;
  const look = {
    ...{ color: cell.isDim() && !color ? '#9a9da6' : color, back },
    ...{ bold: cell.isBold() !== 0, italic: cell.isItalic() !== 0 },
    ...{ underline: cell.isUnderline() !== 0, strike: cell.isStrikethrough() !== 0 },
  };
  return { ...look, key: Object.values(look).join() };
}

function colourOf(isDefault, isRgb, value) {
  if (isDefault) return undefined;
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  if (value < 16) return named[value];
  if (value >= 232) return grey(8 + (value - 232) * 10);
  const steps = [0, 95, 135, 175, 215, 255];
  const at = value - 16;
  return hex([steps[Math.floor(at / 36)], steps[Math.floor(at / 6) % 6], steps[at % 6]]);
}

function grey(level) {
  return hex([level, level, level]);
}

function hex(parts) {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
