// Evaluates flags on a web page: fetches all flags of the user once, and reads them without waiting.
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature } from '@openfeature/web-sdk';

const baseUrl = globalThis.process?.env.CONSOLE_URL ?? 'http://localhost:8787';
const headers = [['Authorization', 'Bearer client-local']];
const provider = new OFREPWebProvider({ baseUrl, headers, pollInterval: 10_000 });
await OpenFeature.setContext({ targetingKey: 'customer-7', email: 'kim@shop.example' });
await OpenFeature.setProviderAndWait(provider);
const client = OpenFeature.getClient();
console.log('employee:', client.getBooleanValue('employees', false));
await OpenFeature.setContext({ targetingKey: 'customer-8' });
console.log('another customer:', client.getBooleanValue('employees', false));
await OpenFeature.close();
