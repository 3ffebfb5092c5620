import { whoIsIn } from '../base/session.ts';
import { useStored } from '../base/use.ts';
import { Button } from '../ui/button.tsx';

const themes: Record<string, { label: string; next: string }> = {
  auto: { label: 'Theme: system', next: 'light' },
  light: { label: 'Theme: light', next: 'dark' },
  dark: { label: 'Theme: dark', next: 'auto' },
};

/** Displays the session, the theme and the sign-out button. */
export function Who({ onSignOut }: { onSignOut: () => void }) {
  const [theme, setTheme] = useStored('theme', 'auto');
  const { label, next } = themes[theme] ?? { label: 'Theme', next: 'auto' };
  const recolour = () => {
    document.documentElement.dataset.theme = next;
    setTheme(next);
  };
  const session = whoIsIn();
  const can = session?.scopes.includes('write') ? 'read and write' : 'read-only';
  return (
    <div class="who">
      <p class="who-words">
        <strong class="who-name">{session?.name}</strong>
        <span class="who-can">{session?.scopes.includes('admin') ? `${can}, admin` : can}</span>
      </p>
      <Button look="icon" icon="sun" label={label} onClick={recolour} />
      <Button look="icon" icon="signOut" label="Sign out" onClick={onSignOut} />
    </div>
  );
}
