/** A file to import, by its path below the chosen folder. */
export type ImportFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly base64: string };

const LARGEST = 1024 * 1024;
const MOST = 2000;

/** The files of a drop: single files, and whole folders with what is in them. */
export async function droppedFiles(transfer: DataTransfer, largest = LARGEST): Promise<ImportFile[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return chosenFiles(transfer.files, largest);
  const found: ImportFile[] = [];
  for (const entry of entries) await collect(entry, found, largest);
  return found;
}

/** The files of a file field, or of a folder field. */
export async function chosenFiles(list: FileList, largest = LARGEST): Promise<ImportFile[]> {
  const found: ImportFile[] = [];
  for (const file of [...list].slice(0, MOST))
    found.push(await readOne(file, file.webkitRelativePath || file.name, largest));
  return found;
}

async function collect(entry: FileSystemEntry, found: ImportFile[], largest: number): Promise<void> {
  if (found.length >= MOST) return;
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
    found.push(await readOne(file, path, largest));
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return;
    for (const one of some) await collect(one, found, largest);
  }
}

/** A file that is too large is sent as one byte more than the limit: the gateway refuses it with the reason. */
async function readOne(file: File, path: string, largest: number): Promise<ImportFile> {
  const bytes = new Uint8Array(await file.slice(0, largest + 1).arrayBuffer());
  try {
    return { path, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { path, base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
  }
}
