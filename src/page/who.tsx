import { whoIsIn } from './session.ts';
import { useTheme } from './theme.ts';
import { Button } from './ui/button.tsx';

const themeNames: Record<string, string> = {
  auto: 'Colours: as the system has them',
  light: 'Colours: light',
  dark: 'Colours: dark',
};

/** Who is signed in, the colours, and the way out. */
export function Who({ onSignOut }: { onSignOut: () => void }) {
  const { theme, next } = useTheme();
  const session = whoIsIn();
  const can = session?.scopes.includes('write') ? 'can change' : 'can only read';
  return (
    <div class="who">
      <p class="who-words">
        <strong class="who-name">{session?.name}</strong>
        <span class="who-can">{session?.scopes.includes('admin') ? `${can}, admin` : can}</span>
      </p>
      <Button look="icon" icon="sun" label={themeNames[theme] ?? 'Colours'} onClick={next} />
      <Button look="icon" icon="signOut" label="Sign out" onClick={onSignOut} />
    </div>
  );
}
