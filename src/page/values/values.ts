// The script of tables of values, loaded when the first is displayed.
export { ConfigValue } from './config_value.tsx';
export { LayerValues } from './layer_table.tsx';
