import { useEffect, useMemo, useRef, useState } from "react";
import type { Diagram } from "../../../src/drakon/diagram/diagram.ts";
import { type DrawOptions, drawDiagram } from "../../../src/drakon/draw/draw.ts";
import { themeCss } from "../../../src/drakon/draw/paint/theme.ts";
import { type Text, usePreferences, useT } from "../i18n/use-t.ts";
import { Button } from "./form.tsx";
import { useIsDark } from "./use-is-dark.ts";
import "../style/diagram-tokens.css";
import "../style/picture.css";

/** Shared style sheets of all drawings: the content security policy forbids inline styles. */
const sheets = (["light", "dark"] as const).map((theme) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(themeCss(theme));
  return sheet;
});
document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...sheets];

export interface DiagramPictureProps extends Pick<DrawOptions, "overlays" | "highlight" | "name" | "focusable"> {
  readonly diagram: Diagram;
  /** Called when an icon is selected, by pointer or keyboard. Without it, icons are not focusable. */
  readonly onIcon?: (icon: string) => void;
  /** The icon with a frame: the current one, or the one that was selected elsewhere. */
  readonly chosen?: string | undefined;
  /** The whole drawing in its frame, however high that is. */
  readonly isFit?: boolean;
}

/** The drawing of a diagram in the chosen language and theme, as the text of an SVG. Our own renderer escapes every text. */
export function useDrawing(props: DiagramPictureProps): string {
  const { diagram, overlays, highlight, name, focusable, onIcon } = props;
  const { language } = usePreferences();
  const theme = useIsDark() ? "dark" : "light";
  return useMemo(() => {
    const options: DrawOptions = {
      language,
      theme,
      authorColours: false,
      focusable: focusable ?? onIcon !== undefined,
      ...(overlays && { overlays }),
      ...(highlight && { highlight }),
      ...(name !== undefined && { name }),
    };
    return drawDiagram(diagram, options).svg.replace(/<style>[\s\S]*?<\/style>/, "");
  }, [diagram, language, theme, overlays, highlight, name, focusable, onIcon]);
}

/** Draws a diagram in the chosen language and theme. */
export function DiagramPicture(props: DiagramPictureProps) {
  const { onIcon, chosen, isFit = false } = props;
  const t = useT();
  const frame = useRef<HTMLDivElement>(null);
  const svg = useDrawing(props);
  const choose = (target: EventTarget): void => {
    const icon = (target as Element).closest("[data-icon]")?.getAttribute("data-icon");
    if (icon !== null && icon !== undefined) onIcon?.(icon);
  };
  useEffect(() => {
    for (const icon of frame.current?.querySelectorAll("[data-icon]") ?? [])
      icon.classList.toggle("chosen", icon.getAttribute("data-icon") === chosen);
  }, [svg, chosen]);
  const isWide = useIsWider(frame, svg) && !isFit;
  const [isFullSize, setIsFullSize] = useState(false);
  return (
    <div className={isFit ? "picture-fit" : "stack tight"}>
      {isWide && (
        <span className="row">
          <Button tone="quiet small" aria-pressed={isFullSize} onClick={() => setIsFullSize(!isFullSize)}>
            {t(isFullSize ? words.fit : words.full)}
          </Button>
        </span>
      )}
      {/* The icons are focusable themselves; the frame only handles their events. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        ref={frame}
        className={`picture scroll-x ${isFullSize ? "full-size" : ""} ${isFit ? "fit" : ""}`}
        onClick={({ target }) => choose(target)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          choose(event.target);
        }}
        // Safe: our own renderer escapes every text of the diagram.
        dangerouslySetInnerHTML={{ __html: svg }}
      />
    </div>
  );
}

/** True while the drawing is wider than its frame, which shows it smaller then. */
function useIsWider(frame: React.RefObject<HTMLDivElement | null>, svg: string): boolean {
  const [isWider, setIsWider] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const width = Number(/<svg[^>]* width="([\d.]+)"/.exec(svg)?.[1] ?? "0");
    const observer = new ResizeObserver(() => setIsWider(width > element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame, svg]);
  return isWider;
}

const words = {
  full: { en: "Full size", uk: "Повний розмір" },
  fit: { en: "Fit to width", uk: "За шириною" },
} as const satisfies Record<string, Text>;
