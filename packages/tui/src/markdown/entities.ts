/** Character references of HTML (`&amp;`, `&#8212;`), as far as people and models write them. */

const named: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'amp & lt < gt > quot " apos \' nbsp \u00a0 copy © reg ® trade ™ hellip … mdash — ndash – lsquo ‘ rsquo ’ ldquo “ ' +
    'rdquo ” laquo « raquo » bull • middot · sect § para ¶ deg ° plusmn ± times × divide ÷ micro µ frac12 ½ frac14 ¼ ' +
    'frac34 ¾ sup1 ¹ sup2 ² sup3 ³ larr ← uarr ↑ rarr → darr ↓ harr ↔ lArr ⇐ rArr ⇒ hArr ⇔ infin ∞ ne ≠ le ≤ ge ≥ ' +
    'asymp ≈ equiv ≡ sum ∑ prod ∏ radic √ minus − lowast ∗ part ∂ nabla ∇ isin ∈ notin ∉ cap ∩ cup ∪ sub ⊂ sup ⊃ ' +
    'sube ⊆ supe ⊇ and ∧ or ∨ not ¬ forall ∀ exist ∃ empty ∅ alpha α beta β gamma γ delta δ epsilon ε theta θ ' +
    'lambda λ mu μ pi π rho ρ sigma σ tau τ phi φ chi χ psi ψ omega ω Delta Δ Sigma Σ Omega Ω Pi Π euro € pound £ ' +
    'yen ¥ cent ¢ check ✓ cross ✗ star ☆ szlig ß auml ä ouml ö uuml ü Auml Ä Ouml Ö Uuml Ü eacute é egrave è ' +
    'agrave à ccedil ç ntilde ñ aring å aelig æ oslash ø lbrace { rbrace } lsqb [ rsqb ] lpar ( rpar ) ast * num # ' +
    'lowbar _ grave ` vert | bsol \\ sol / colon : semi ; comma , period . excl ! quest ? equals = plus + dollar $ ' +
    'percnt % commat @ Tab \t NewLine \n ensp \u2002 emsp \u2003 thinsp \u2009'
  )
    .split(/ (?=[A-Za-z]\w* )/)
    .map((pair) => [pair.slice(0, pair.indexOf(' ')), pair.slice(pair.indexOf(' ') + 1)] as const),
);

/** The text with its references resolved. One that is not known stays as it is written. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]\w{1,31}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  });
}
