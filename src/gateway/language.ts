import { type Language, languages } from "../base/text.ts";

/** `?lang=`, else the supported language with the highest weight in Accept-Language, else the garden's own. */
export function requestLanguage(request: Request, ofGarden: Language | undefined): Language {
  const asked = URL.canParse(request.url) ? new URL(request.url).searchParams.get("lang") : undefined;
  const named = languages.find((language) => language === asked);
  if (named) return named;
  const accepted = (request.headers.get("accept-language") ?? "")
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [tag = "", weight] = part.trim().split(/;\s*q=/);
      return { tag: tag.toLowerCase().split("-")[0], weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  for (const { tag } of accepted) {
    const known = languages.find((language) => language === tag);
    if (known) return known;
  }
  return ofGarden ?? "en";
}
