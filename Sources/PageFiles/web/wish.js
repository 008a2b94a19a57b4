// What a text in the search box asks for: words, the size of a product, and a city at its end.

/** Words for sizes, as in `talla 37`, `EU 40,5` or `size M`; sizes in numbers, and in letters. */
const [link, word] = ["(?:(?:in|en|de)\\s+(?:la\\s+)?)?", "tallas?|sizes?|t"];
const [number, letters] = ["\\d\\d(?:[.,]5)?", "\\d?X{0,3}[SL]|M|[úu]nica"];
/** A number anywhere; letters after a word for a size, or as the last word. */
const sizes = [
  `(?:^|\\s)(?:${link}(?:${word}|n[úu]mero|n[úu]m|n[º°]|no)[.:]?\\s*)?(?:(EU|UK|US)[\\s:]?)?(${number})(?=\\s|$)`,
  `(?:^|\\s)${link}(?:${word})(?:[.:]\\s*|\\s+)()(${letters}|\\d(?:[.,]5)?)(?=\\s|$)`, `\\s()(${letters})$`,
].map((pattern) => new RegExp(pattern, "i"));

/** The words of a text, and the size of the wanted product, if any. */
export function wish(q) {
  const [said, system, size] = sizes.map((one) => q.match(one)).find(Boolean) ?? [""];
  if (!said) return { words: q };
  return {
    words: q.replace(said, " ").replace(/\s+/g, " ").trim(),
    size: [system, size.replace(",", ".")].filter(Boolean).join(":").toUpperCase(),
  };
}

/** The ways to read up to three words at the end of a text as a city: the `city`, longest first, and the `rest`. */
export function cityCuts(q) {
  const words = q.split(/\s+/);
  return [3, 2, 1].filter((count) => count < words.length).map((count) => ({
    city: words.slice(-count).join(" "),
    rest: words.slice(0, -count).join(" ").replace(/\s(?:in|near|en|de|cerca de)$/i, ""),
  }));
}
