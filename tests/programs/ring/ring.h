#ifdef __cplusplus
extern "C" {
#endif
double around(double value);
#ifdef __cplusplus
}
#endif
