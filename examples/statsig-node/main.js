// A server with the SDK of the public service, unmodified: it downloads what it decides from, and reports what it showed.
import Statsig from 'statsig-node';

const api = `${process.env.CONSOLE_URL ?? 'http://localhost:8787'}/v1`;
await Statsig.initialize('secret-local', { api });
const customer = { userID: 'customer-7', email: 'kim@shop.example' };
console.log('employee:', Statsig.checkGateSync(customer, 'employees'));
console.log('photo size:', Statsig.getLayerSync(customer, 'product_page').get('photo_size', ''));
Statsig.logEvent(customer, 'order', 42.5);
await Statsig.shutdownAsync();
