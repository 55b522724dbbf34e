/* The version, said once in the Makefile. */
#include "tenon/tenon.h"

const char *
tn_version(void)
{
	return TN_VERSION;
}
