import { useEffect } from 'preact/hooks';
import { useKept } from './use.ts';

const themes = ['auto', 'light', 'dark'];

/** Light, dark or as the system has it; kept by this browser. */
export function useTheme() {
  const [theme, setTheme] = useKept('theme', 'auto');
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const at = themes.indexOf(theme);
  const next = themes[(at + 1) % themes.length] ?? 'auto';
  return { theme, next: () => setTheme(next) };
}
