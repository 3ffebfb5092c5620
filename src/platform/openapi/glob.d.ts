interface ImportMeta {
  /** Replaced by the modules at some paths when Vite loads the file. */
  glob<Module>(pattern: string, options: { eager: true }): Record<string, Module>;
}
