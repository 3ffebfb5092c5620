// Evaluates flags on a server with the public service's SDK, which downloads the spec and reports exposures.
import Statsig from 'statsig-node';

const api = `${process.env.CONSOLE_URL ?? 'http://localhost:8787'}/v1`;
await Statsig.initialize('secret-local', { api });
const customer = { userID: 'customer-7', email: 'kim@shop.example' };
console.log('employee:', Statsig.checkGateSync(customer, 'employees'));
console.log('photo size:', Statsig.getLayerSync(customer, 'product_page').get('photo_size', ''));
Statsig.logEvent(customer, 'order', 42.5);
await Statsig.shutdownAsync();
