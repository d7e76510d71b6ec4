import { useState } from "react";
import { TextField } from "../../components/form.tsx";
import { actionLabels } from "../../components/labels.ts";
import { SettingsList } from "../../components/settings-list.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { ActionsField, type RulableAction } from "./actions-field.tsx";

/** Folders that guests may read, and what they may propose there. */
export function ZoneSettings() {
  const t = useT();
  const [name, setName] = useState("");
  const [folders, setFolders] = useState("");
  const [actions, setActions] = useState<RulableAction[]>([]);
  const folderList = folders.split(",").flatMap((each) => (each.trim() === "" ? [] : [each.trim()]));
  const isComplete = name.trim() !== "" && folderList.length > 0;
  return (
    <SettingsList
      list="zones"
      labels={words}
      keyOf={(each) => each.name}
      row={(each) => (
        <>
          <strong>{each.name}</strong> <code>{each.folders.join(", ")}</code>{" "}
          {each.actions.map((action) => t(actionLabels[action]!)).join(", ")}
          {each.expires !== undefined && ` · ${t(words.until)} ${each.expires}`}
        </>
      )}
      newItem={isComplete ? { name: name.trim(), folders: folderList, actions } : undefined}
      onAdded={() => setName("")}
    >
      <div className="two">
        <TextField label={t(words.name)} value={name} onText={setName} />
        <TextField label={t(words.folders)} value={folders} onText={setFolders} />
      </div>
      <ActionsField label={t(words.actions)} actions={actions} onChange={setActions} />
    </SettingsList>
  );
}

const words = {
  title: { en: "Guest zones", uk: "Зони для гостей" },
  none: { en: "No zones: only you have access.", uk: "Зон немає: більше ніхто не заходить." },
  until: { en: "until", uk: "до" },
  add: { en: "New zone", uk: "Нова зона" },
  addIt: { en: "Add zone", uk: "Додати зону" },
  name: { en: "Name", uk: "Назва" },
  folders: { en: "Folders, separated by commas", uk: "Теки, через кому" },
  actions: { en: "Guests may propose", uk: "Що гості можуть там пропонувати" },
} as const satisfies Record<string, Text>;
