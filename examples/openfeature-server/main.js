// Evaluates flags on a server, with the OpenFeature SDK and its OFREP provider.
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';

const baseUrl = process.env.CONSOLE_URL ?? 'http://localhost:8787';
const headers = [['Authorization', 'Bearer secret-local']];
await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl, headers }));
const client = OpenFeature.getClient();
const customer = { targetingKey: 'customer-7', email: 'kim@shop.example' };
console.log('employee:', await client.getBooleanValue('employees', false, customer));
console.log(
  'photo size:',
  await client.getStringValue('layer:product_page:photo_size', '', customer),
);
