/** The folders above a note or folder, as links of the top bar. The root of the notes is a setting: its first folder is good enough. */
export function folderSteps(folder: string, notes: string): { readonly name: string; readonly to: string }[] {
  const parts = folder === "" ? [] : folder.split("/");
  return [
    { name: notes, to: "/notes" },
    ...parts.slice(1).map((name, index) => ({
      name,
      to: `/notes?folder=${encodeURIComponent(parts.slice(0, index + 2).join("/"))}`,
    })),
  ];
}
