import { memo, useEffect, useMemo, useRef, useState } from "react";
import { renderPseudocode } from "../../../../src/drakon/text/render.ts";
import type { Tree } from "../../../../src/drakon/tree.ts";
import { Button } from "../../components/form.tsx";
import { type Language, type Text, usePreferences, useT } from "../../i18n/use-t.ts";

/** The diagram as pseudocode. A click on a line selects its icon; the line of the chosen icon is highlighted. */
export const Pseudocode = memo(
  ({
    tree,
    icon,
    onShow,
  }: {
    readonly tree: Tree | undefined;
    readonly icon: string | undefined;
    readonly onShow: (icon: string) => void;
  }) => {
    const t = useT();
    const reader = usePreferences();
    const [chosen, choose] = useState<Language>();
    const language = chosen ?? reader.language;
    const rows = useMemo(() => tree && rowsOf(tree, language), [tree, language]);
    const list = useRef<HTMLPreElement>(null);
    useEffect(() => {
      const line = list.current?.querySelector<HTMLElement>("[data-lit]");
      if (line && list.current) list.current.scrollTop = line.offsetTop - list.current.clientHeight / 2;
    }, [icon, rows]);
    return (
      <section className="card stack tight" aria-labelledby="pseudocode">
        <div className="row between">
          <h2 id="pseudocode">{t(words.title)}</h2>
          <Button
            tone="quiet small"
            lang={language === "en" ? "uk" : "en"}
            onClick={() => choose(language === "en" ? "uk" : "en")}
          >
            {language === "en" ? "Українською" : "In English"}
          </Button>
        </div>
        {rows ? (
          // Focusable, so that it can be scrolled with the keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <pre ref={list} className="diagram-code" lang={language} tabIndex={0} aria-labelledby="pseudocode">
            {rows.map(({ text, icons }, at) =>
              icons.length === 0 ? (
                // oxlint-disable-next-line react/no-array-index-key -- a line has no other key than its position
                <span key={at}>{`${text}\n`}</span>
              ) : (
                // oxlint-disable-next-line react/no-array-index-key, jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
                <span
                  key={at}
                  className="leads"
                  data-lit={icon !== undefined && icons.includes(icon) ? "" : undefined}
                  onClick={() => onShow(icons[0]!)}
                >
                  {`${text}\n`}
                </span>
              ),
            )}
          </pre>
        ) : (
          <p className="quiet small">{t(words.none)}</p>
        )}
      </section>
    );
  },
);

function rowsOf(
  tree: Tree,
  language: Language,
): readonly { readonly text: string; readonly icons: readonly string[] }[] {
  const { text, lines } = renderPseudocode(tree, { language });
  const icons = new Map(lines.map((line) => [line.line, line.icons]));
  return text
    .trimEnd()
    .split("\n")
    .map((line, at) => ({ text: line, icons: icons.get(at + 1) ?? [] }));
}

const words = {
  title: { en: "Pseudocode", uk: "Псевдокод" },
  none: { en: "Fix the errors to see the pseudocode.", uk: "Діаграма з помилками ще не має значення." },
} as const satisfies Record<string, Text>;
