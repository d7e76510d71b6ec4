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
                // oxlint-disable-next-line react/no-array-index-key -- a line has no other key than its position
                <CodeLine
                  key={at}
                  text={text}
                  icon={icons[0]!}
                  isLit={icon !== undefined && icons.includes(icon)}
                  onShow={onShow}
                />
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

/** One of possibly thousands of lines: only those whose light changes are rendered again. */
const CodeLine = memo(
  (props: {
    readonly text: string;
    readonly icon: string;
    readonly isLit: boolean;
    readonly onShow: (icon: string) => void;
  }) => (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <span className="leads" data-lit={props.isLit ? "" : undefined} onClick={() => props.onShow(props.icon)}>
      {`${props.text}\n`}
    </span>
  ),
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
