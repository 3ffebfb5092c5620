// Loads the words of every resource, which their calls add to the document.
import.meta.glob(
  '../../../{platform/openapi/words/shared,{organization/*,data/*,flags/*,experiments/*,project/*,results,results/*,delivery/explain}/words}.ts',
  { eager: true },
);
