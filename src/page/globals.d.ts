// The schemas' types refer to this method of the Workers runtime.
interface SubtleCrypto {
  timingSafeEqual(a: ArrayBuffer | ArrayBufferView, b: ArrayBuffer | ArrayBufferView): boolean;
}

declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface Options {
    dom_id: string;
    url: string;
    validatorUrl: null;
    filter: boolean;
    docExpansion: 'list' | 'full' | 'none';
    defaultModelsExpandDepth: number;
    displayRequestDuration: boolean;
    tryItOutEnabled: boolean;
    onComplete: () => void;
  }
  export default function SwaggerUI(options: Options): {
    preauthorizeApiKey(scheme: string, key: string): void;
  };
}

declare module '*.css';
