import { useState } from 'preact/hooks';
import { whyNot } from '../base/session.ts';
import { Create } from '../entity/edit/create.tsx';
import { Button } from '../ui/button.tsx';
import { Code } from '../ui/code.tsx';
import { Copy } from '../ui/copy.tsx';
import { keys } from './keys.tsx';

const codeOf = (
  key: string,
  call: string,
) => `import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature } from '@openfeature/web-sdk';

const headers = [['Authorization', 'Bearer ${key}']];
const provider = new OFREPWebProvider({ baseUrl: '${location.origin}', headers });
await OpenFeature.setContext({ targetingKey: 'user-1' });
await OpenFeature.setProviderAndWait(provider);
OpenFeature.getClient().${call};`;

const clientKey = { type: 'CLIENT', name: 'Web app', scopes: ['evaluate'] };

/** Code that evaluates a flag on a web page, with a key that is created on request. */
export function Snippet({ evaluation }: { evaluation: string }) {
  const [key, setKey] = useState('');
  const [isNew, setNew] = useState(false);
  const code = codeOf(key || 'YOUR-CLIENT-KEY', evaluation);
  return (
    <section class="snippet" aria-label="Code for a web page">
      <div class="row row-between">
        <h2 class="section-title">In your web page</h2>
        <Copy text={code} label="Copy code" words="Copy" />
      </div>
      <Code text={code} />
      {key ? (
        <p role="status">The code contains your new key. Copy it now. It won't be shown again.</p>
      ) : (
        <Button icon="key" why={whyNot('admin')} onClick={() => setNew(true)}>
          Create a client key
        </Button>
      )}
      {isNew && (
        <Create kind={keys} values={clientKey} onSecret={setKey} onClose={() => setNew(false)} />
      )}
    </section>
  );
}
