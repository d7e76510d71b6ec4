/** The look of the first page. `hue` comes from the flower, so that a garden and its page share a colour. */
export const pageStyle = (hue: number): string => `
:root { color-scheme: light dark; --hue: ${hue};
  --paper: oklch(0.985 0.008 var(--hue)); --ink: oklch(0.26 0.02 var(--hue)); --soft: oklch(0.47 0.025 var(--hue));
  --line: oklch(0.88 0.015 var(--hue)); --deep: oklch(0.45 0.13 var(--hue)); --card: oklch(1 0 0 / 0.65);
  --petal-a: oklch(0.74 0.135 var(--hue)); --petal-b: oklch(0.83 0.105 calc(var(--hue) + 24)); --petal-c: oklch(0.91 0.07 calc(var(--hue) + 50));
  --edge: oklch(0.58 0.14 var(--hue)); --green: oklch(0.56 0.09 145); --heart: oklch(0.86 0.14 92); --seed: oklch(0.45 0.09 70);
  --well: oklch(0.46 0.11 150); --ill: oklch(0.5 0.17 28); }
@media (prefers-color-scheme: dark) { :root {
  --paper: oklch(0.185 0.016 var(--hue)); --ink: oklch(0.94 0.012 var(--hue)); --soft: oklch(0.75 0.025 var(--hue));
  --line: oklch(0.33 0.02 var(--hue)); --deep: oklch(0.83 0.105 var(--hue)); --card: oklch(0.24 0.018 var(--hue) / 0.8);
  --petal-a: oklch(0.62 0.145 var(--hue)); --petal-b: oklch(0.72 0.12 calc(var(--hue) + 24)); --petal-c: oklch(0.84 0.08 calc(var(--hue) + 50));
  --edge: oklch(0.45 0.12 var(--hue)); --green: oklch(0.55 0.085 145); --well: oklch(0.8 0.13 150); --ill: oklch(0.76 0.14 28); } }
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 "Source Sans 3", "Noto Sans", system-ui, "Segoe UI", sans-serif; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; grid-template-rows: auto 1fr auto; }
header, main, footer { width: min(68rem, 100%); margin-inline: auto; padding-inline: clamp(1.25rem, 5vw, 3rem); }
header, footer { padding-block: 1.25rem; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; justify-content: space-between; color: var(--soft); font-size: .9375rem; }
.brand { font-weight: 600; letter-spacing: .01em; }
nav { display: flex; gap: 1rem; }
main { display: grid; grid-template-columns: minmax(13rem, 5fr) 8fr; gap: clamp(1.5rem, 5vw, 4.5rem); align-items: center; padding-block: 1rem 2.5rem; }
.flower { width: 100%; max-height: min(76vh, 40rem); display: block; overflow: visible; }
.stem { fill: none; stroke: var(--green); stroke-width: 4.5; stroke-linecap: round; }
.leaf { fill: var(--green); }
.petal { stroke: var(--edge); stroke-width: .8; stroke-opacity: .55; }
.vein { stroke: var(--edge); stroke-width: .9; stroke-opacity: .4; stroke-linecap: round; fill: none; }
.ring-0 { fill: var(--petal-a); } .ring-1 { fill: var(--petal-b); } .ring-2 { fill: var(--petal-c); }
.heart { fill: var(--heart); } .seed { fill: var(--seed); }
h1 { font: 600 clamp(2.1rem, 1.4rem + 3.2vw, 3.6rem)/1.08 "Iowan Old Style", "Palatino Linotype", Palatino, "Noto Serif", Georgia, "DejaVu Serif", serif; letter-spacing: -.015em; margin: 0 0 .35em; text-wrap: balance; overflow-wrap: anywhere; }
.lead { font-size: 1.25rem; line-height: 1.45; color: var(--soft); margin: 0 0 2rem; max-width: 34em; text-wrap: pretty; }
.lead strong { color: var(--deep); font-weight: 600; }
section { margin: 0 0 2rem; }
h2 { font-size: 1.25rem; line-height: 1.4; margin: 0 0 .5rem; }
section p.next { margin-top: .75rem; }
section p { margin: 0; color: var(--soft); max-width: 38em; }
.waiting { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
.waiting li { padding: .6rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; }
form { margin: 0; }
button { font: inherit; color: var(--deep); background: none; border: 1px solid var(--line); border-radius: .4rem; padding: .15rem .7rem; cursor: pointer; }
button:hover { border-color: var(--deep); }
button:focus-visible { outline: 3px solid var(--deep); outline-offset: 3px; }
dl { margin: 0; border-top: 1px solid var(--line); }
dl > div { display: grid; grid-template-columns: minmax(8.5rem, 30%) 1fr; gap: .25rem 1.25rem; padding: .72rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.number { font-variant-numeric: tabular-nums; }
.quiet { color: var(--soft); font-size: .9375rem; }
.below { display: block; }
code { font: .9em/1.4 ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; }
.state { font-weight: 600; } .well { color: var(--well); } .ill { color: var(--ill); }
a { color: var(--deep); text-underline-offset: .2em; text-decoration-thickness: .07em; }
a:focus-visible { outline: 3px solid var(--deep); outline-offset: 3px; border-radius: 2px; }
a[aria-current] { color: inherit; text-decoration: none; font-weight: 600; }
footer { border-top: 1px solid var(--line); }
@media (max-width: 46rem) {
  main { grid-template-columns: 1fr; gap: 1.25rem; align-items: start; padding-top: 0; }
  .flower { max-height: 17rem; }
  dl > div { grid-template-columns: 7.5rem 1fr; }
  .lead { font-size: 1.125rem; margin-bottom: 1.5rem; }
}
@media (prefers-reduced-motion: no-preference) {
  .flower { transform-origin: 50% 100%; animation: sway 9s ease-in-out infinite alternate; }
  @keyframes sway { from { transform: rotate(-.9deg); } to { transform: rotate(.9deg); } }
}
@media (forced-colors: active) { .petal, .leaf, .heart { stroke: CanvasText; } }
`;
