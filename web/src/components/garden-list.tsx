import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";
import { call } from "../api/client.ts";
import { invalidate } from "../api/queries.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { Flower } from "./flower.tsx";
import { useToast } from "./toasts.tsx";
import { type ShownGarden, useGardens } from "./use-gardens.ts";
import "../style/garden-list.css";

/** The gardens of this machine: one that runs opens, one that does not tells the command that starts it. */
export function GardenList({ close }: { readonly close: () => void }) {
  const client = useQueryClient();
  const gardens = useGardens();
  // They start and stop without telling this one.
  useEffect(() => void invalidate(client, "/gardens"), [client]);
  const sorted = gardens.toSorted((a, b) => Number(b.here) - Number(a.here));
  return (
    <div className="garden-list">
      {sorted.map((garden) => (
        <Garden key={garden.id} garden={garden} close={close} />
      ))}
    </div>
  );
}

function Garden({ garden, close }: { readonly garden: ShownGarden; readonly close: () => void }) {
  const t = useT();
  const [isAsked, setIsAsked] = useState(false);
  const { name, here, open, state, first_commit } = garden;
  const line = (
    <>
      {first_commit === undefined ? (
        <span className="garden-flower" />
      ) : (
        <Flower of={first_commit} size={26} look={state === "running" || here ? undefined : "paused"} />
      )}
      <span className="garden-line">
        <span className="cut">{name}</span>
        <span className="meta cut">{here ? t(words.here) : t(stateWords(garden), shortAddress(open))}</span>
      </span>
      {here && <Check size={16} aria-hidden="true" />}
    </>
  );
  if (here)
    return (
      <Link to="/" className="menu-item" aria-current="true" onClick={close}>
        {line}
      </Link>
    );
  if (open !== undefined)
    return (
      <a href={open} className="menu-item">
        {line}
      </a>
    );
  return (
    <>
      <button type="button" className="menu-item" aria-expanded={isAsked} onClick={() => setIsAsked(!isAsked)}>
        {line}
      </button>
      {isAsked && <HowTo garden={garden} />}
    </>
  );
}

/** How to reach a garden that has no address here. */
function HowTo({ garden: { id, name, state, start } }: { readonly garden: ShownGarden }) {
  const t = useT();
  const client = useQueryClient();
  const toast = useToast();
  const forget = useMutation({
    mutationFn: () => call("DELETE /gardens/:id", { params: { id } }),
    onSuccess: () => {
      toast(t(words.forgotten, name));
      return invalidate(client, "/gardens");
    },
    onError: (error) => toast(error.message),
  });
  const copy = (): void => void navigator.clipboard?.writeText(start).then(() => toast(t(words.copied)));
  return (
    <div className="garden-how">
      <p>{state === "running" ? t(words.there) : t(words.startWith)}</p>
      <code>{state === "running" ? `${start} --host 0.0.0.0` : start}</code>
      <div className="row">
        {state === "stopped" && (
          <button type="button" className="button small" onClick={copy}>
            <Copy size={14} aria-hidden="true" /> {t(words.copy)}
          </button>
        )}
        {state !== "running" && (
          <button type="button" className="button ghost small" onClick={() => forget.mutate()}>
            <X size={14} aria-hidden="true" /> {t(words.forget)}
          </button>
        )}
      </div>
    </div>
  );
}

const stateWords = ({ state, open }: ShownGarden): Text =>
  state === "stopped" ? words.stopped : open === undefined ? words.elsewhere : words.at;

const shortAddress = (address: string | undefined): string => (address === undefined ? "" : new URL(address).host);

const words = {
  here: { en: "You are here", uk: "Ви тут" },
  at: { en: "Running at {}", uk: "Працює: {}" },
  stopped: { en: "Not running", uk: "Не працює" },
  elsewhere: { en: "Running on its own machine only", uk: "Доступний лише на своїй машині" },
  startWith: {
    en: "Start it in a terminal, then open this list again:",
    uk: "Запустіть його в терміналі й відкрийте цей перелік знову:",
  },
  there: {
    en: "It runs, but other machines cannot reach it. Start it again for the network:",
    uk: "Він працює, але недоступний з інших машин. Запустіть його знову для мережі:",
  },
  copy: { en: "Copy the command", uk: "Скопіювати команду" },
  copied: { en: "Copied", uk: "Скопійовано" },
  forget: { en: "Forget", uk: "Забути" },
  forgotten: {
    en: "{} is no longer listed. Its folder is unchanged.",
    uk: "{} більше немає в переліку. Його теку не змінено.",
  },
} as const satisfies Record<string, Text>;
