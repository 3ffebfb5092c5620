// The reference of the API: the OpenAPI document as a page to read and to try, apart from the console page.
import 'swagger-ui-dist/swagger-ui.css';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import './docs.css';

/** The root key of `npm run dev`, until another stands in `.dev.vars`. A deployment has one that nobody knows. */
const localKey = 'console-local';

const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** Whether this server takes a key: one that it does not would stand in the way of a session. */
async function isTaken(key: string): Promise<boolean> {
  const headers = { 'SERVICE-API-KEY': key };
  return (await fetch('/console/v1/company', { headers, credentials: 'omit' })).ok;
}

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Has the colours that were chosen on the console page, or else those of the system. */
function recolour() {
  const theme = localStorage.getItem('theme');
  const isDark = theme === 'dark' || (theme !== 'light' && dark.matches);
  document.documentElement.classList.toggle('dark-mode', isDark);
}

recolour();
dark.addEventListener('change', recolour);

const docs = SwaggerUI({
  dom_id: '#docs',
  url: '/console/v1/openapi.json',
  validatorUrl: null, // or it would send the address of the document to a service
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  onComplete: async () => {
    if (isLocal && (await isTaken(localKey))) docs.preauthorizeApiKey('apiKey', localKey);
  },
});
