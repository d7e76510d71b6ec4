import { useEffect } from "react";

/**
 * The window is called as its page is headed: in tabs, in the history, and for who hears it first of all. Pages come and go and learn
 * their headings late, so the heading itself is followed, wherever it comes from.
 */
export function usePageTitle(): void {
  useEffect(() => {
    const name = document.title;
    const follow = (): void => {
      const heading = document.querySelector("main h1")?.textContent?.trim();
      const title = heading ? `${heading} · ${name}` : name;
      if (document.title !== title) document.title = title;
    };
    follow();
    const watch = new MutationObserver(follow);
    watch.observe(document.body, { childList: true, subtree: true, characterData: true });
    return () => {
      watch.disconnect();
      document.title = name;
    };
  }, []);
}
