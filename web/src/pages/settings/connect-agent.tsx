import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { Form, TextField } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { ActionsField, type RulableAction } from "./actions-field.tsx";
import { AddForm, RowError, SettingsSection } from "./section.tsx";
import { CopyButton, ShownOnce } from "./shown-once.tsx";
import { TokenRows } from "./tokens.tsx";

const USUAL: RulableAction[] = ["propose-note", "propose-edit", "propose-tag", "propose-comment"];

/** Connects a program outside of the garden: an agent whose contract is its grant, its token, and settings for the usual clients. */
export function ConnectAgent() {
  const t = useT();
  const client = useQueryClient();
  const [agent, setAgent] = useState("");
  const [folder, setFolder] = useState("");
  const [rate, setRate] = useState("");
  const [actions, setActions] = useState<RulableAction[]>(USUAL);
  const connect = useMutation({
    mutationFn: () =>
      call("POST /tokens/agent", {
        body: {
          agent: agent.trim(),
          actions,
          ...(folder.trim() !== "" && { folder: folder.trim() }),
          ...(rate.trim() !== "" && { per_minute: Number(rate) }),
        },
      }),
    onSuccess: () => {
      setAgent("");
      void invalidate(client, "/agents");
      return invalidate(client, "/tokens");
    },
  });
  return (
    <SettingsSection id="programs" title={t(words.title)} about={t(words.about)}>
      <TokenRows of={["outside"]} live />
      {connect.data && (
        <>
          <ShownOnce secret={connect.data.token} />
          <ClientSettings token={connect.data.token} />
        </>
      )}
      <AddForm label={t(words.add)}>
        <Form className="stack tight" onSubmit={() => connect.mutate()}>
          <div className="three">
            <TextField label={t(words.name)} placeholder="claude" value={agent} onText={setAgent} />
            <TextField label={t(words.folder)} placeholder={t(words.all)} value={folder} onText={setFolder} />
            <TextField
              label={t(words.rate)}
              type="number"
              min={1}
              max={1000}
              placeholder={t(words.usual)}
              value={rate}
              onText={setRate}
            />
          </div>
          <ActionsField label={t(words.may)} actions={actions} onChange={setActions} />
          <div>
            <button
              type="submit"
              className="button"
              disabled={agent.trim() === "" || actions.length === 0 || connect.isPending}
            >
              {t(words.connect)}
            </button>
          </div>
        </Form>
      </AddForm>
      {connect.error && <RowError error={connect.error} />}
    </SettingsSection>
  );
}

/** Settings that can be pasted, one client after the other. */
function ClientSettings({ token }: { readonly token: string }) {
  const t = useT();
  const url = `${location.origin}/mcp`;
  const header = { Authorization: `Bearer ${token}` };
  const clients = [
    ["Claude Code", `claude mcp add --transport http garden ${url} --header "Authorization: Bearer ${token}"`],
    ["Codex", `[mcp_servers.garden]\nurl = "${url}"\nhttp_headers = { Authorization = "Bearer ${token}" }`],
    ["Cursor", JSON.stringify({ mcpServers: { garden: { url, headers: header } } }, null, 2)],
    ["VS Code", JSON.stringify({ servers: { garden: { type: "http", url, headers: header } } }, null, 2)],
  ] as const;
  return (
    <div className="stack tight client-settings">
      <p className="meta">{t(words.paste)}</p>
      {clients.map(([name, text]) => (
        <details key={name}>
          <summary>{name}</summary>
          <pre>{text}</pre>
          <CopyButton text={text} />
        </details>
      ))}
    </div>
  );
}

const words = {
  title: { en: "Connected programs", uk: "Приєднані програми" },
  add: { en: "Connect a program", uk: "Приєднати програму" },
  about: {
    en: "Claude Code, Codex, Cursor or a script works here as an agent: it reads and proposes, you decide.",
    uk: "Claude Code, Codex, Cursor чи скрипт працює тут як агент: читає й пропонує, вирішуєте ви.",
  },
  name: { en: "Name", uk: "Назва" },
  folder: { en: "Folder", uk: "Тека" },
  all: { en: "all notes", uk: "усі нотатки" },
  rate: { en: "Changes a minute", uk: "Змін за хвилину" },
  usual: { en: "as all agents", uk: "як усі агенти" },
  may: { en: "May propose", uk: "Може пропонувати" },
  connect: { en: "Connect", uk: "Приєднати" },
  paste: { en: "Settings for the program:", uk: "Налаштування для програми:" },
} as const satisfies Record<string, Text>;
