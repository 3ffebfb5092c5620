import 'swagger-ui-dist/swagger-ui.css';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import '../style/tokens.css';
import './docs.css';

const localKey = 'console-local';

const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** Whether the server accepts a key. An invalid one would override the session. */
async function isTaken(key: string): Promise<boolean> {
  const headers = { 'SERVICE-API-KEY': key };
  return (await fetch('/console/v1/company', { headers, credentials: 'omit' })).ok;
}

const dark = matchMedia('(prefers-color-scheme: dark)');

function recolour() {
  const theme = localStorage.getItem('theme');
  document.documentElement.dataset.theme = theme ?? 'auto';
  const isDark = theme === 'dark' || (theme !== 'light' && dark.matches);
  document.documentElement.classList.toggle('dark-mode', isDark);
}

recolour();
dark.addEventListener('change', recolour);

const docs = SwaggerUI({
  dom_id: '#docs',
  url: '/console/v1/openapi.json',
  validatorUrl: null, // or else it would send the document's address to a service
  filter: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  onComplete: async () => {
    if (isLocal && (await isTaken(localKey))) docs.preauthorizeApiKey('apiKey', localKey);
  },
});
