import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { BellRing } from "lucide-react";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { dateTime } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { PushContact } from "./push-contact.tsx";
import {
  browserName,
  currentSubscription,
  deviceId,
  deviceOf,
  pushObstacle,
  subscribeDevice,
} from "./push-subscription.ts";
import { RowError, SettingRow, SettingsSection } from "./section.tsx";

type Destination = AnswerOf<"GET /settings/notify">["items"][number];

/** P-12a: browsers that are told by Web Push. Each is added on the device itself. */
export function PushDevices() {
  const t = useT();
  const { language } = usePreferences();
  const devices = useQuery(query("GET /notify/devices", {}));
  const here = useQuery({ queryKey: ["this device"], queryFn: thisDevice }).data?.id;
  const remove = useRemoval(here);
  return (
    <SettingsSection id="devices" title={t(words.title)} about={t(words.about)}>
      <QueryResult of={devices}>
        {({ devices: all, public_key }) => (
          <>
            {all.map(({ id, name, host, added_at }) => (
              <SettingRow
                key={id}
                name={name}
                about={host}
                action={
                  <Button tone="ghost danger small" disabled={remove.isPending} onClick={() => remove.mutate(id)}>
                    {t(words.remove)}
                  </Button>
                }
              >
                <span className="state good">{t(id === here ? words.here : words.added)}</span>
                <p className="meta">{dateTime(added_at, language)}</p>
              </SettingRow>
            ))}
            {remove.error && <RowError error={remove.error} />}
            {!all.some(({ id }) => id === here) && <AddDevice publicKey={public_key} />}
            <PushOptions />
          </>
        )}
      </QueryResult>
    </SettingsSection>
  );
}

const thisDevice = async (): Promise<{ readonly id: string | undefined }> => {
  const subscription = await currentSubscription();
  return { id: subscription && (await deviceId(subscription.endpoint)) };
};

function useRemoval(here: string | undefined) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => {
      await call("DELETE /notify/devices/:id", { params: { id } });
      if (id === here) await (await currentSubscription())?.unsubscribe();
    },
    onSuccess: () => toast(t(words.removed)),
    onSettled: () =>
      Promise.all([invalidate(client, "/notify"), client.invalidateQueries({ queryKey: ["this device"] })]),
  });
}

/** Subscribes this browser. Its push service must be allowed once, by name: messages pass through it. */
function AddDevice({ publicKey }: { readonly publicKey: string }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [unnamed, setUnnamed] = useState<PushSubscription>();
  const { destinations, name } = useDestinations();
  const obstacle = pushObstacle();
  const save = useMutation({
    mutationFn: async (subscription: PushSubscription) => {
      await call("POST /notify/devices", { body: deviceOf(subscription, browserName(navigator.userAgent)) });
    },
    onSuccess: () => {
      setUnnamed(undefined);
      toast(t(words.isAdded));
    },
    onSettled: () =>
      Promise.all([invalidate(client, "/notify"), client.invalidateQueries({ queryKey: ["this device"] })]),
  });
  const ask = useMutation({
    mutationFn: () => subscribeDevice(publicKey),
    onSuccess: (subscription) => {
      if (!subscription) return;
      const { host } = new URL(subscription.endpoint);
      if (destinations.some(({ push }) => push?.includes(host))) save.mutate(subscription);
      else setUnnamed(subscription);
    },
  });
  const allow = useMutation({
    mutationFn: (subscription: PushSubscription) => name(new URL(subscription.endpoint).host),
    onSuccess: (_, subscription) => save.mutate(subscription),
  });
  const error = ask.error ?? allow.error ?? save.error;
  if (obstacle !== undefined) return <p className="meta device-add">{t(words[obstacle])}</p>;
  return (
    <>
      {unnamed ? (
        <div className="card stack tight device-add">
          <p>{t(words.through, new URL(unnamed.endpoint).host)}</p>
          <div className="row">
            <Button tone="primary" disabled={allow.isPending} onClick={() => allow.mutate(unnamed)}>
              {t(words.allow)}
            </Button>
            <Button tone="ghost" onClick={() => void unnamed.unsubscribe().then(() => setUnnamed(undefined))}>
              {t(words.cancel)}
            </Button>
          </div>
        </div>
      ) : (
        <div className="device-add">
          <Button disabled={ask.isPending || save.isPending} onClick={() => ask.mutate()}>
            <BellRing size={15} aria-hidden="true" /> {t(words.add)}
          </Button>
        </div>
      )}
      {ask.isSuccess && ask.data === undefined && <p className="meta">{t(words.denied)}</p>}
      {error && <RowError error={error} />}
    </>
  );
}

/** The destinations of `notify` in garden.yaml, and a way to name a push service in them. */
function useDestinations() {
  const client = useQueryClient();
  const read = useQuery(query("GET /settings/notify", {})).data;
  const destinations = read?.items ?? [];
  const write = async (items: readonly Destination[]): Promise<void> => {
    await call("PUT /settings/notify", { body: { base: read?.base ?? "", items: [...items] } });
    await invalidate(client, "/settings", "/notify");
  };
  const name = async (host: string): Promise<void> => {
    const there = destinations.find(({ push }) => push !== undefined);
    if (there)
      return write(
        destinations.map((each) => (each === there ? { ...each, push: [...(each.push ?? []), host] } : each)),
      );
    const free = destinations.some((each) => each.name === NAME) ? `${NAME}-push` : NAME;
    return write([...destinations, { name: free, push: [host], kinds: [...EVERYDAY] }]);
  };
  return { destinations, write, name };
}

const NAME = "devices";
/** Kinds that a device is told of at first: what needs the person. */
const EVERYDAY = ["proposal", "expiring", "question", "agent-error", "apply-failed", "disk-full"] as const;

/** The contact of push services, and whether messages hide what they are about: a locked screen can be read by anyone. */
function PushOptions() {
  const t = useT();
  const { destinations, write } = useDestinations();
  const pushed = destinations.filter(({ push }) => push !== undefined);
  const save = useMutation({
    mutationFn: (isBrief: boolean) =>
      write(destinations.map((each) => (each.push === undefined ? each : { ...each, brief: isBrief }))),
  });
  if (pushed.length === 0) return null;
  const saveContact = (contact: string | undefined): Promise<void> =>
    write(
      destinations.map((each) => {
        if (each.push === undefined) return each;
        const { contact: _, ...rest } = each;
        return { ...rest, ...(contact !== undefined && { contact }) };
      }),
    );
  return (
    <>
      <PushContact contact={pushed[0]!.contact} save={saveContact} />
      <label className="row">
        <input
          type="checkbox"
          checked={save.isPending ? save.variables : pushed.every(({ brief }) => brief === true)}
          disabled={save.isPending}
          onChange={({ target }) => save.mutate(target.checked)}
        />
        {t(words.brief)}
      </label>
      {save.error && <RowError error={save.error} />}
    </>
  );
}

const words = {
  title: { en: "Devices", uk: "Пристрої" },
  about: {
    en: "Browser notifications, also while the app is closed. Messages are encrypted for the device.",
    uk: "Сповіщення браузера, навіть коли застосунок закрито. Повідомлення зашифровано для пристрою.",
  },
  add: { en: "Notify this device", uk: "Сповіщати цей пристрій" },
  here: { en: "this device", uk: "цей пристрій" },
  added: { en: "added", uk: "додано" },
  isAdded: { en: "This device will be notified", uk: "Цей пристрій отримуватиме сповіщення" },
  remove: { en: "Remove", uk: "Вилучити" },
  removed: { en: "The device is no longer notified", uk: "Пристрій більше не отримує сповіщень" },
  through: {
    en: "This browser gets messages through {}. That service sees when something is sent and how long it is, never what it says. Allow the garden to send there?",
    uk: "Цей браузер отримує повідомлення через {}. Та служба бачить, коли щось надіслано й якої довжини, але не зміст. Дозволити саду надсилати туди?",
  },
  allow: { en: "Allow and notify", uk: "Дозволити й сповіщати" },
  cancel: { en: "Cancel", uk: "Скасувати" },
  brief: {
    en: "Say only what kind of thing happened, not what it is about (for a locked screen)",
    uk: "Повідомляти лише, що саме сталося, без подробиць (для заблокованого екрана)",
  },
  insecure: {
    en: "Browsers allow notifications only on this machine (localhost) or over HTTPS.",
    uk: "Браузери дозволяють сповіщення лише на самій машині (localhost) або через HTTPS.",
  },
  unsupported: {
    en: "This browser cannot show notifications. On an iPhone, add the app to the home screen first.",
    uk: "Цей браузер не вміє показувати сповіщень. На iPhone спершу додайте застосунок на головний екран.",
  },
  denied: {
    en: "Notifications of this site are blocked. Allow them in the browser's settings of this site.",
    uk: "Сповіщення цього сайту заблоковано. Дозвольте їх у налаштуваннях браузера для цього сайту.",
  },
} as const satisfies Record<string, Text>;
