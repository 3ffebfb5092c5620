/** The tables whose entities share one namespace in every SDK. */
export const oneNamespace = ['dynamic_configs', 'experiments', 'autotunes'];
