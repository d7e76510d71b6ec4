import { useEffect } from "react";

/**
 * Keeps the window's title equal to the page's heading, for tabs, history and screen readers. Pages load their headings late, so a
 * mutation observer follows the heading itself.
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
