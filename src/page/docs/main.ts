// The reference of the API: the OpenAPI document as a page to read and to try, apart from the console page.
import 'swagger-ui-dist/swagger-ui.css';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';

/** The root key of `npm run dev`, as it makes `.dev.vars`. A deployment has one that nobody knows. */
const localKey = 'console-local';

const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

const docs = SwaggerUI({
  dom_id: '#docs',
  url: '/console/v1/openapi.json',
  validatorUrl: null, // or it would send the address of the document to a service
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  onComplete: () => {
    if (isLocal) docs.preauthorizeApiKey('apiKey', localKey);
  },
});
