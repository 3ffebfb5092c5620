export { ConfigValue } from './config_value.tsx';
export { LayerValues } from './layer_table.tsx';
