// Evaluates flags on a web page: fetches all flags of the user once, and reads them without waiting.
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk';

const baseUrl = globalThis.process?.env.CONSOLE_URL ?? 'http://localhost:8787';
const headers = [['Authorization', 'Bearer client-local']];
const provider = new OFREPWebProvider({ baseUrl, headers, pollInterval: 10_000 });
await OpenFeature.setContext({ targetingKey: 'customer-7', email: 'kim@shop.example' });
// After a failed request the provider keeps the flags of before: setting the context again repeats the request.
const repeat = () => setTimeout(() => OpenFeature.setContext(OpenFeature.getContext()), 5000);
OpenFeature.addHandler(ProviderEvents.Stale, repeat);
OpenFeature.addHandler(ProviderEvents.Error, repeat);
await OpenFeature.setProviderAndWait(provider).catch(() => undefined); // flags have their defaults until then
const client = OpenFeature.getClient();
console.log('employee:', client.getBooleanValue('employees', false));
await OpenFeature.setContext({ targetingKey: 'customer-8' });
console.log('another customer:', client.getBooleanValue('employees', false));
await OpenFeature.close();
