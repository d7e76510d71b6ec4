/**
 * The part of Obsidian's interface that the plugin uses, as the npm package `obsidian` 1.13.1 declares it. The package itself would bring
 * `moment` and the types of two editors into the project for these few lines.
 */
declare module "obsidian" {
  interface ElementInfo {
    readonly text?: string;
    readonly cls?: string;
    readonly href?: string;
    readonly attr?: Readonly<Record<string, string>>;
  }
  global {
    interface HTMLElement {
      empty(): void;
      addClass(...classes: string[]): void;
      setText(text: string): void;
      createEl<K extends keyof HTMLElementTagNameMap>(tag: K, info?: ElementInfo): HTMLElementTagNameMap[K];
    }
  }

  export class App {
    workspace: Workspace;
    loadLocalStorage(key: string): unknown;
    saveLocalStorage(key: string, data: unknown): void;
  }
  export class Workspace {
    getLeavesOfType(type: string): WorkspaceLeaf[];
    getRightLeaf(split: boolean): WorkspaceLeaf | null;
    revealLeaf(leaf: WorkspaceLeaf): Promise<void>;
    getActiveViewOfType<T extends View>(type: new (...args: never[]) => T): T | null;
    onLayoutReady(callback: () => unknown): void;
  }
  export class WorkspaceLeaf {
    view: View;
    setViewState(state: { type: string; active?: boolean }): Promise<void>;
  }
  export abstract class Component {
    registerInterval(id: number): number;
    registerDomEvent<K extends keyof HTMLElementEventMap>(
      element: HTMLElement,
      type: K,
      callback: (this: HTMLElement, event: HTMLElementEventMap[K]) => unknown,
    ): void;
  }
  export abstract class View extends Component {
    app: App;
    getIcon(): string;
    abstract getViewType(): string;
    abstract getDisplayText(): string;
    protected onOpen(): Promise<void>;
  }
  export abstract class ItemView extends View {
    contentEl: HTMLElement;
    constructor(leaf: WorkspaceLeaf);
  }
  export class MarkdownView extends View {
    file: { path: string } | null;
    editor: { getValue(): string; getCursor(): { line: number } };
    getViewType(): string;
    getDisplayText(): string;
  }
  export abstract class Plugin extends Component {
    app: App;
    /** Obsidian's own use: a plugin must not define it. */
    settings?: unknown;
    onload(): Promise<void> | void;
    addStatusBarItem(): HTMLElement;
    addCommand(command: { id: string; name: string; callback: () => unknown }): unknown;
    addSettingTab(tab: PluginSettingTab): void;
    registerView(type: string, make: (leaf: WorkspaceLeaf) => View): void;
    loadData(): Promise<unknown>;
    saveData(data: unknown): Promise<void>;
  }
  export abstract class PluginSettingTab {
    app: App;
    containerEl: HTMLElement;
    constructor(app: App, plugin: Plugin);
    display(): void;
  }
  export class Setting {
    constructor(container: HTMLElement);
    setName(name: string): this;
    setDesc(text: string): this;
    addText(callback: (text: TextComponent) => unknown): this;
  }
  export class TextComponent {
    inputEl: HTMLInputElement;
    setValue(value: string): this;
    onChange(callback: (value: string) => unknown): this;
  }
  export class Notice {
    messageEl: HTMLElement;
    constructor(message: string, duration?: number);
  }
  export function requestUrl(request: {
    url: string;
    headers?: Record<string, string>;
    throw?: boolean;
  }): Promise<{ status: number; text: string }>;
}
