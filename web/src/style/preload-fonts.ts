import inter from "@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2";
import literata from "@fontsource-variable/literata/files/literata-cyrillic-wght-normal.woff2";
import type { Language } from "../i18n/use-t.ts";

/** Asks for the Cyrillic fonts before the first words are drawn. `index.html` preloads the Latin ones for every language. */
export function preloadCyrillic(language: Language): void {
  if (language !== "uk") return;
  for (const href of [inter, literata])
    document.head.append(
      Object.assign(document.createElement("link"), {
        rel: "preload",
        as: "font",
        type: "font/woff2",
        crossOrigin: "",
        href,
      }),
    );
}
