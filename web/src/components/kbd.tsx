/** True where ⌘ takes the place of Ctrl. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Keys to press, one after the other or together. `Mod` is ⌘ or Ctrl. */
export const Kbd = ({ keys }: { readonly keys: readonly string[] }) =>
  keys.map((key) => <kbd key={key}>{key === "Mod" ? (isApple ? "⌘" : "Ctrl") : key}</kbd>);
