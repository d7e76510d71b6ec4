import { Link } from "@tanstack/react-router";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Links to the folders above a note or folder. */
export function Breadcrumbs({ folder, root }: { readonly folder: string; readonly root: string }) {
  const t = useT();
  const top = root === "." ? "" : root;
  const below = folder === top ? [] : folder.slice(top === "" ? 0 : top.length + 1).split("/");
  const steps = [
    { name: t(words.notes), path: top },
    ...below.map((name, index) => ({
      name,
      path: [...(top === "" ? [] : [top]), ...below.slice(0, index + 1)].join("/"),
    })),
  ];
  return (
    <nav aria-label={t(words.folders)} className="crumbs">
      <ol>
        {steps.map(({ name, path }) => (
          <li key={path}>
            <Link to="/notes" search={path === top ? {} : { folder: path }}>
              {name}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

const words = {
  notes: { en: "Notes", uk: "Нотатки" },
  folders: { en: "Folders", uk: "Теки" },
} as const satisfies Record<string, Text>;
