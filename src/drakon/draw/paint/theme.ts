import type { IconOutline } from "../measure/icon-box.ts";

export const themes = ["light", "dark", "print"] as const;
export type DrawingTheme = (typeof themes)[number];

/** Outlines of one family share their colours. */
export type Family = "step" | "frame" | "branch" | "ask" | "loop" | "call" | "note" | "time" | "lost";

export const familyOf: Readonly<Record<IconOutline, Family>> = {
  action: "step",
  params: "note",
  picture: "step",
  question: "ask",
  select: "ask",
  case: "ask",
  branch: "branch",
  address: "branch",
  loopbegin: "loop",
  loopend: "loop",
  header: "frame",
  end: "frame",
  insertion: "call",
  comment: "note",
  simpleinput: "step",
  simpleoutput: "step",
  shelf: "step",
  timer: "time",
  pause: "time",
  duration: "time",
  ctrlstart: "time",
  ctrlend: "time",
  input: "step",
  output: "step",
  process: "step",
  elsewhere: "lost",
  missing: "lost",
  bar: "step",
  point: "step",
};

interface Palette {
  readonly canvas: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly main: string;
  /** Fill and outline colours. */
  readonly families: Readonly<Record<Family, readonly [fill: string, edge: string]>>;
  readonly added: string;
  readonly removed: string;
  readonly changed: string;
  readonly moved: string;
  readonly heat: string;
  readonly highlight: string;
}

export const palettes: Readonly<Record<DrawingTheme, Palette>> = {
  light: {
    canvas: "#f8f9fb",
    ink: "#18212b",
    soft: "#5b6774",
    line: "#4d5a68",
    main: "#18212b",
    families: {
      step: ["#ffffff", "#4d5a68"],
      frame: ["#e3f4e8", "#2c7a4b"],
      branch: ["#e5eefc", "#3a64a6"],
      ask: ["#fff6dc", "#97701a"],
      loop: ["#f0eafc", "#6d4fb0"],
      call: ["#e2f4f6", "#277785"],
      note: ["#eff1f4", "#8a95a1"],
      time: ["#fdede7", "#ad5238"],
      lost: ["#fdecec", "#c0392b"],
    },
    added: "#1f8f4d",
    removed: "#c0392b",
    changed: "#b7791f",
    moved: "#2f6fc1",
    heat: "#ff6a13",
    highlight: "#0a6cff",
  },
  dark: {
    canvas: "#12161b",
    ink: "#e8edf3",
    soft: "#9aa7b4",
    line: "#8c9aa8",
    main: "#e8edf3",
    families: {
      step: ["#1f262e", "#8c9aa8"],
      frame: ["#16301f", "#5fbf86"],
      branch: ["#1b2a44", "#7aa5ea"],
      ask: ["#352b12", "#d6ab4a"],
      loop: ["#2a2144", "#a98cf0"],
      call: ["#12333a", "#5cb8c8"],
      note: ["#252b32", "#768391"],
      time: ["#3a211a", "#e08a6d"],
      lost: ["#3f1d1d", "#ef6b5e"],
    },
    added: "#4cc27f",
    removed: "#ef6b5e",
    changed: "#e0b050",
    moved: "#6ea8f5",
    heat: "#ff7a2b",
    highlight: "#5aa2ff",
  },
  print: {
    canvas: "#ffffff",
    ink: "#000000",
    soft: "#333333",
    line: "#000000",
    main: "#000000",
    families: {
      step: ["#ffffff", "#000000"],
      frame: ["#ffffff", "#000000"],
      branch: ["#ffffff", "#000000"],
      ask: ["#ffffff", "#000000"],
      loop: ["#ffffff", "#000000"],
      call: ["#ffffff", "#000000"],
      note: ["#f0f0f0", "#666666"],
      time: ["#ffffff", "#000000"],
      lost: ["#ffffff", "#000000"],
    },
    added: "#000000",
    removed: "#000000",
    changed: "#000000",
    moved: "#000000",
    heat: "#999999",
    highlight: "#000000",
  },
};

export const FONTS = "'Segoe UI',Roboto,'Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',sans-serif";

/**
 * CSS of one theme. Every colour is a custom property with the theme's value as fallback, so a page restyles a drawing by
 * setting `--drk-…`; programs without custom properties read the plain value before it. All rules are scoped to the theme's
 * class, so that drawings of several themes can share a page.
 */
export function themeCss(theme: DrawingTheme): string {
  const { families, canvas, ink, soft, line, main, highlight, heat, ...marks } = palettes[theme];
  const colour = (property: string, name: string, value: string): string =>
    `${property}:${value};${property}:var(--drk-${name},${value})`;
  const rules: [selector: string, body: string][] = [
    ["", `font-family:${FONTS}`],
    [" .c", colour("fill", "canvas", canvas)],
    [" text", `${colour("fill", "ink", ink)};white-space:pre`],
    [" .w", colour("fill", "soft", soft)],
    [" .l", `fill:none;stroke-width:1.4;${colour("stroke", "line", line)}`],
    [" .m", `stroke-width:3;stroke-linecap:butt;${colour("stroke", "main", main)}`],
    [" .a", colour("fill", "line", line)],
    [" .b", `stroke-width:2;${colour("stroke", "main", main)}`],
    [" .s", "stroke-width:1.4;stroke-linejoin:round"],
    [" .i", "fill:none;stroke-width:1.4"],
    [" .h", `stroke:none;${colour("fill", "heat", heat)}`],
    [" .u .s", "stroke-dasharray:5 4"],
    [" .n", colour("fill", "canvas", canvas)],
  ];
  for (const [family, [fill, edge]] of Object.entries(families)) {
    rules.push([` .${family} .s`, `${colour("fill", family, fill)};${colour("stroke", `${family}-edge`, edge)}`]);
    rules.push([` .${family} .i`, colour("stroke", `${family}-edge`, edge)]);
  }
  rules.push([" .p .s", `stroke-width:3.5;${colour("stroke", "highlight", highlight)}`]);
  rules.push([" .l.p", `stroke-width:4;${colour("stroke", "highlight", highlight)}`]);
  for (const [mark, value] of Object.entries(marks)) {
    rules.push([` .${mark} .s`, `stroke-width:3;${colour("stroke", mark, value)}`]);
    rules.push([` .${mark} .k`, colour("fill", mark, value)]);
  }
  rules.push([" .removed .s", "stroke-dasharray:6 4"]);
  return rules.map(([selector, body]) => `.drk-${theme}${selector}{${body}}`).join("");
}
