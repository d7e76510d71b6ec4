import { useQueries } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { History } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { query } from "../api/queries.ts";
import { SETTINGS_PLACE } from "../components/places.ts";
import { Loading } from "../components/query-result.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { type Text, useT } from "../i18n/use-t.ts";
import { AppearanceSection } from "./settings/appearance.tsx";
import { BackupSection } from "./settings/backups.tsx";
import { ConnectAgent } from "./settings/connect-agent.tsx";
import { MachineSection } from "./settings/machines.tsx";
import { ModelSection } from "./settings/models.tsx";
import { NotifySettings } from "./settings/notify.tsx";
import { PushDevices } from "./settings/push-devices.tsx";
import { RemoteSection } from "./settings/remotes.tsx";
import { RuleSettings } from "./settings/rules.tsx";
import { sectionLinks } from "./settings/section-links.ts";
import { StorageSection } from "./settings/storage.tsx";
import { TokenSettings } from "./settings/tokens.tsx";
import { RefusedSettings, ValueSection } from "./settings/value-sections.tsx";
import { settingGroups } from "./settings/values.ts";
import { WebhookSettings } from "./settings/webhooks.tsx";
import { ZoneSettings } from "./settings/zones.tsx";
import "../style/settings.css";

/** Everything that the owner can set, each change a commit; health, checks, backups and remotes of the garden. */
export function SettingsPage() {
  const t = useT();
  // Each section has its own query. Waiting for all of them keeps the page from shifting.
  const parts = useQueries({
    queries: [
      query("GET /settings/rules", {}),
      query("GET /settings/zones", {}),
      query("GET /settings/webhooks", {}),
      query("GET /settings/notify", {}),
      query("GET /notify", {}),
      query("GET /notify/devices", {}),
      query("GET /tokens", {}),
      query("GET /models", {}),
      query("GET /settings", {}),
      query("GET /health", {}),
      query("GET /status", {}),
      query("GET /backups", {}),
    ],
  });
  const isPending = parts.some((part) => part.isPending);
  const { hash } = useLocation();
  useEffect(() => {
    // The browser looks for the section before it is loaded.
    if (!isPending && hash !== "") document.getElementById(hash)?.scrollIntoView();
  }, [isPending, hash]);
  return (
    <>
      <TopBar icon={SETTINGS_PLACE.icon} crumbs={[]} title={t(SETTINGS_PLACE.name)}>
        <span className="meta settings-saved">{t(words.saved)}</span>
        <Link to="/audit" className="button ghost small">
          <History size={14} aria-hidden="true" /> {t(words.history)}
        </Link>
      </TopBar>
      <div className="page settings-page">
        <h1 className="hidden-visually">{t(SETTINGS_PLACE.name)}</h1>
        {isPending ? (
          <Loading />
        ) : (
          <>
            <SectionLinks />
            <div className="settings-sections">
              <RefusedSettings />
              <ModelSection />
              <NotifySettings />
              <PushDevices />
              <RuleSettings />
              <ZoneSettings />
              <WebhookSettings />
              <TokenSettings />
              <ConnectAgent />
              {settingGroups.map((group) => (
                <ValueSection key={group.id} group={group} />
              ))}
              <RemoteSection />
              <MachineSection />
              <StorageSection />
              <BackupSection />
              <AppearanceSection />
            </div>
          </>
        )}
      </div>
    </>
  );
}

/** Links to the sections of the page. */
function SectionLinks() {
  const t = useT();
  const { current, aim } = useCurrentSection();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the links are one line: the marked one is brought into it without moving the page.
    const [line, link] = [nav.current, nav.current?.querySelector<HTMLElement>(`[href="#${current}"]`)];
    if (line && link) line.scrollLeft = link.offsetLeft - line.offsetWidth / 2 + link.offsetWidth / 2;
  }, [current]);
  return (
    <nav ref={nav} className="settings-links" aria-label={t(words.sections)}>
      {sectionLinks.map(({ id, name, icon: Icon }) => (
        <a key={id} href={`#${id}`} aria-current={id === current ? "location" : undefined} onClick={() => aim(id)}>
          <Icon size={15} aria-hidden="true" /> {t(name)}
        </a>
      ))}
    </nav>
  );
}

/** Below the bars and the margin that a title keeps when it is scrolled to. */
const PASSED_PX = 160;

/**
 * The section that the address or a click names, until the person scrolls; then the last one whose title has passed the top. A
 * short section near the end can never be scrolled to the top.
 */
function useCurrentSection() {
  const { hash } = useLocation();
  const [current, setCurrent] = useState(sectionLinks[0]?.id);
  const aimed = useRef<string>(undefined);
  const aim = useCallback((id: string): void => {
    aimed.current = id;
    setCurrent(id);
  }, []);
  useEffect(() => {
    if (sectionLinks.some(({ id }) => id === hash)) aim(hash);
  }, [hash, aim]);
  useEffect(() => {
    const find = (): void => {
      if (aimed.current !== undefined) return;
      const passed = sectionLinks.filter(({ id }) => {
        const title = document.getElementById(id);
        return title !== null && title.getBoundingClientRect().top < PASSED_PX;
      });
      setCurrent(passed.at(-1)?.id ?? sectionLinks[0]?.id);
    };
    const release = (): void => void (aimed.current = undefined);
    const ended = new AbortController();
    const options = { capture: true, passive: true, signal: ended.signal };
    document.addEventListener("scroll", find, options);
    for (const by of ["wheel", "touchmove", "keydown", "pointerdown"]) document.addEventListener(by, release, options);
    return () => ended.abort();
  }, []);
  return { current, aim };
}

const words = {
  saved: { en: "Saved as you change · each change is a commit", uk: "Зберігається одразу · кожна зміна — коміт" },
  history: { en: "What happened", uk: "Що відбулося" },
  sections: { en: "Sections", uk: "Розділи" },
} as const satisfies Record<string, Text>;
