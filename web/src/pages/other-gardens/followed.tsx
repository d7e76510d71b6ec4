import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { useState } from "react";
import { isSlug } from "../../../../src/domain/contract/slug.ts";
import { announcementRefusals } from "../../../../src/domain/federation/refusals.ts";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { Button, Form, TextField } from "../../components/form.tsx";
import { SessionLink } from "../../components/links.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { Empty } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { AddForm, RowError, SettingRow, SettingsSection } from "../settings/section.tsx";
import { ChooseSessions } from "./choose-sessions.tsx";

export type ListedGarden = AnswerOf<"GET /federation">["gardens"][number];
type LookOutcome = AnswerOf<"POST /federation/gardens/:name/look">;

/** The gardens that this one follows, with the sessions of theirs that are here. */
export function FollowedSection({ gardens }: { readonly gardens: readonly ListedGarden[] }) {
  const t = useT();
  return (
    <SettingsSection id="followed" title={t(words.title)} about={t(words.about)}>
      {gardens.length === 0 && <Empty>{t(words.none)}</Empty>}
      {gardens.map((garden) => (
        <GardenRow key={garden.name} garden={garden} />
      ))}
      <FollowForm />
    </SettingsSection>
  );
}

function GardenRow({ garden }: { readonly garden: ListedGarden }) {
  const { name, url, pin, sessions, look: last, news } = garden;
  const t = useT();
  const client = useQueryClient();
  const [isRemoving, setIsRemoving] = useState(false);
  const look = useMutation({
    mutationFn: () => call("POST /federation/gardens/:name/look", { params: { name } }),
    onSettled: () => invalidate(client, "/federation"),
  });
  return (
    <>
      <SettingRow
        name={name}
        about={<span className="break">{url}</span>}
        action={
          <>
            <Button
              tone="small"
              aria-label={`${t(words.look)}: ${name}`}
              disabled={look.isPending}
              onClick={() => look.mutate()}
            >
              {t(look.isPending ? words.looking : words.look)}
            </Button>
            <Button
              tone="ghost danger small"
              aria-label={`${t(words.remove)}: ${name}`}
              onClick={() => setIsRemoving(true)}
            >
              {t(words.remove)}
            </Button>
          </>
        }
      >
        <code className="break garden-pin">{pin}</code>
        {sessions.length === 0 ? (
          <p className="meta">{t(words.nothingHere)}</p>
        ) : (
          <ul className="plain-list" aria-label={t(words.sessionsOf, name)}>
            {sessions.map((session) => (
              <li key={session.name}>
                <SessionLink name={`${name}/${session.name}`}>{session.name}</SessionLink>{" "}
                <code className="meta">{session.head.slice(0, 10)}</code>
              </li>
            ))}
          </ul>
        )}
      </SettingRow>
      {!look.data && last?.trouble && <Trouble next={last.next_at} trouble={last.trouble} />}
      {look.data && <Outcome outcome={look.data} />}
      {look.error && <RowError error={look.error} />}
      <ChooseSessions garden={garden} />
      <NewsForm name={name} news={news} />
      {isRemoving && <RemoveDialog name={name} onClose={() => setIsRemoving(false)} />}
    </>
  );
}

/** The address where this garden wants to be told of our announcements. An empty one ends it. */
function NewsForm({ name, news = "" }: { readonly name: string; readonly news?: string | undefined }) {
  const t = useT();
  const client = useQueryClient();
  const [url, setUrl] = useState(news);
  const save = useMutation({
    mutationFn: () =>
      call("PUT /federation/gardens/:name/news", {
        params: { name },
        body: url.trim() === "" ? {} : { url: url.trim() },
      }),
    onSettled: () => invalidate(client, "/federation"),
  });
  return (
    <AddForm label={t(news === "" ? words.tellIt : words.told)}>
      <Form className="stack tight" onSubmit={() => save.mutate()}>
        <TextField
          label={t(words.newsUrl)}
          value={url}
          onText={setUrl}
          maxLength={2000}
          placeholder="https://example.org/federation/news"
        />
        <p className="meta">{t(words.newsRule)}</p>
        <div>
          <button type="submit" className="button" disabled={url.trim() === news || save.isPending}>
            {t(words.save)}
          </button>
        </div>
      </Form>
      {save.error && <RowError error={save.error} />}
    </AddForm>
  );
}

/** The reason why the last look took nothing, from the time when it began to fail. */
function Trouble({
  next,
  trouble: { text, subject, since },
}: {
  readonly next: string;
  readonly trouble: NonNullable<NonNullable<ListedGarden["look"]>["trouble"]>;
}) {
  const t = useT();
  return (
    <p className="alert bad" role="status">
      <CircleAlert size={16} aria-hidden="true" />
      <span>
        {t(text)} {subject !== undefined && <code className="break">{subject}</code>}{" "}
        <span className="meta">
          {t(words.troubleTimes, since.slice(0, 16).replace("T", " "), next.slice(0, 16).replace("T", " "))}
        </span>
      </span>
    </p>
  );
}

function Outcome({ outcome: { kind, seq = 0, moved = [], why, subject } }: { readonly outcome: LookOutcome }) {
  const t = useT();
  if (kind !== "refused" || why === undefined)
    return (
      <p className="alert" role="status">
        <span>{kind === "accepted" ? t(words.accepted, seq, moved.length) : t(words.upToDate, seq)}</span>
      </p>
    );
  return (
    <p className="alert bad" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <span>
        <b>{t(words.refused)}</b> {t(announcementRefusals[why])}{" "}
        {subject !== undefined && <code className="break">{subject}</code>}
      </span>
    </p>
  );
}

function RemoveDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call("DELETE /federation/gardens/:name", { params: { name } }),
    onSuccess: () => {
      onClose();
      return invalidate(client, "/federation");
    },
  });
  return (
    <ActionDialog
      title={t(words.removeTitle, name)}
      action={{
        label: t(words.removeIt),
        tone: "danger",
        isDisabled: remove.isPending,
        onConfirm: () => remove.mutate(),
      }}
      error={remove.error && <MutationError error={remove.error} />}
      onClose={onClose}
    >
      <p>{t(words.removeAbout)}</p>
    </ActionDialog>
  );
}

const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/;

function FollowForm() {
  const t = useT();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [key, setKey] = useState("");
  const add = useMutation({
    mutationFn: () => call("POST /federation/gardens", { body: { name, url: url.trim(), key } }),
    onSuccess: () => {
      setName("");
      setUrl("");
      setKey("");
      return invalidate(client, "/federation");
    },
  });
  const isComplete = isSlug(name) && url.trim() !== "" && FINGERPRINT.test(key);
  return (
    <>
      <AddForm label={t(words.add)}>
        <Form className="stack tight" onSubmit={() => isComplete && add.mutate()}>
          <div className="three">
            <TextField
              label={t(words.name)}
              value={name}
              onText={(text) => setName(text.trim())}
              maxLength={63}
              placeholder="alice"
            />
            <TextField
              label={t(words.url)}
              value={url}
              onText={setUrl}
              maxLength={2000}
              placeholder="https://example.org/alice.git"
            />
            <TextField
              label={t(words.key)}
              value={key}
              onText={(text) => setKey(text.trim())}
              maxLength={100}
              placeholder="SHA256:…"
            />
          </div>
          <p className="meta">{t(words.rule)}</p>
          <div>
            <button type="submit" className="button" disabled={!isComplete || add.isPending}>
              {t(words.follow)}
            </button>
          </div>
        </Form>
      </AddForm>
      {add.error && <RowError error={add.error} />}
    </>
  );
}

const words = {
  title: { en: "Gardens you follow", uk: "Сади, за якими ви стежите" },
  about: {
    en: "What they publish lands here read-only, after checks, or not at all.",
    uk: "Оприлюднене ними потрапляє сюди лише для читання, після перевірок, або не потрапляє зовсім.",
  },
  none: { en: "This garden follows no other yet.", uk: "Цей сад ще ні за ким не стежить." },
  nothingHere: { en: "No session of it is here.", uk: "Жодної його сесії тут немає." },
  sessionsOf: { en: "Sessions of {}", uk: "Сесії саду {}" },
  tellIt: { en: "Tell it when you publish", uk: "Повідомляти його про публікації" },
  told: { en: "It is told when you publish", uk: "Його повідомляють про публікації" },
  newsUrl: { en: "Address for news", uk: "Адреса для новин" },
  newsRule: {
    en: "Its owner gives it to you. After each publication a signed message is sent there, and that garden looks at once. Empty: it is not told.",
    uk: "Її дає власник. Після кожної публікації туди надходить підписане повідомлення, і той сад одразу дивиться. Порожньо: не повідомляти.",
  },
  save: { en: "Save", uk: "Зберегти" },
  troubleTimes: { en: "Since {} UTC; next look {} UTC.", uk: "Від {} UTC; наступна перевірка {} UTC." },
  look: { en: "Look now", uk: "Перевірити зараз" },
  looking: { en: "Looking …", uk: "Перевіряю …" },
  remove: { en: "Stop following", uk: "Не стежити" },
  removeTitle: { en: "Stop following {}?", uk: "Більше не стежити за {}?" },
  removeIt: { en: "Stop following", uk: "Не стежити" },
  removeAbout: {
    en: "Its sessions here disappear and its grants are taken back. What you merged into your own sessions stays.",
    uk: "Його сесії звідси зникнуть, а дозволи буде відкликано. Те, що ви злили у власні сесії, лишиться.",
  },
  accepted: {
    en: "Announcement {} is accepted: {} [ref|refs] moved.",
    uk: "Оголошення {} прийнято: змінено {} [посилання|посилання|посилань].",
  },
  upToDate: { en: "Nothing new since announcement {}.", uk: "Після оголошення {} нічого нового." },
  refused: { en: "Refused, nothing was taken.", uk: "Відхилено, нічого не взято." },
  add: { en: "Follow a garden", uk: "Стежити за садом" },
  follow: { en: "Follow", uk: "Стежити" },
  name: { en: "Name here", uk: "Назва тут" },
  url: { en: "Address of its public repository", uk: "Адреса публічного репозиторію" },
  key: { en: "Fingerprint of its key", uk: "Відбиток ключа" },
  rule: {
    en: "The name is small Latin letters, digits and hyphens. The fingerprint is SHA256: and 43 characters; its owner reads it on this page. Nothing is fetched yet.",
    uk: "Назва — малі латинські літери, цифри й дефіси. Відбиток — SHA256: і 43 символи; власник бачить його на цій самій сторінці. Ще нічого не отримується.",
  },
} as const satisfies Record<string, Text>;
