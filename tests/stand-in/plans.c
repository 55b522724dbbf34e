/*
 * The real cuDNN takes the CUDA target's graphs of convolutions, and finalises plans for them within a bound of memory: for
 * the properties of a GPU that is not there, which cuDNN 9.8 and later take in place of a handle.  Nothing is run.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "target/cuda.h"
#include "target/cuda_opgraph.h"

#if CUDNN_VERSION >= 90800

static int failures;

/* what cuDNN asks a GPU of compute capability 9.0 with 132 processors for */
static const char properties[] = "{\"cudnnVersion\":%zu,\"schemaVersion\":1,\"deviceVer\":900,\"driverVer\":13000,\"cudaDeviceId\":0,"
    "\"maxGridSize\":[2147483647,65535,65535],\"maxBlockSize\":[1024,1024,64],\"regsPerBlock\":65536,\"multiProcessorCount\":132,"
    "\"warpSize\":32,\"maxSharedMemoryPerBlock\":49152,\"maxSharedMemoryPerBlockOptin\":232448,\"reservedSharedMemoryPerBlock\":1024,"
    "\"maxRegistersPerSM\":65536,\"maxCtasPerSM\":32,\"maxThreadsPerBlock\":1024,\"maxThreadsPerSM\":2048,\"pciDeviceId\":0,"
    "\"isTccDriver\":0,\"supportCoopLaunch\":1,\"smClockRateKHz\":1980000,\"memClockRateKHz\":3201000,\"l2CacheSize\":62914560,"
    "\"deviceName\":\"none\",\"totalGlobalMem\":150000000000}";

static bool
describe_device(struct opgraph_device *device)
{
	char text[2000];
	int n = snprintf(text, sizeof text, properties, cudnnGetVersion());

	return cudnnBackendCreateDescriptor(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, &device->properties) == CUDNN_STATUS_SUCCESS &&
	    cudnnBackendSetAttribute(device->properties, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR, n, text) ==
	    CUDNN_STATUS_SUCCESS && cudnnBackendFinalize(device->properties) == CUDNN_STATUS_SUCCESS;
}

/* Convolutions of networks; those whose padding is unlike before and after have no legacy call. */
static const struct {
	const char *what;
	struct opgraph_conv conv;
	bool has_act;			/* does cuDNN document an engine for it with bias and relu? */
} convs[] = {
	{"3x3", {.x = {1, 64, 56, 56}, .k = {128, 64, 3, 3}, .y = {1, 128, 56, 56}, .strides = {1, 1}, .dilations = {1, 1}, .before = {1, 1},
	    .after = {1, 1}}, true},
	{"1x1", {.x = {1, 64, 56, 56}, .k = {128, 64, 1, 1}, .y = {1, 128, 56, 56}, .strides = {1, 1}, .dilations = {1, 1}}, true},
	{"7x7 on 3 channels, stride 2", {.x = {1, 3, 224, 224}, .k = {67, 3, 7, 7}, .y = {1, 67, 112, 112}, .strides = {2, 2},
	    .dilations = {1, 1}, .before = {3, 3}, .after = {3, 3}}, true},
	{"3x3, padded behind alone", {.x = {1, 64, 56, 56}, .k = {128, 64, 3, 3}, .y = {1, 128, 55, 55}, .strides = {1, 1}, .dilations = {1, 1},
	    .after = {1, 1}}, true},
	{"3x3 in 32 groups", {.x = {2, 128, 28, 28}, .k = {128, 4, 3, 3}, .y = {2, 128, 28, 28}, .strides = {1, 1}, .dilations = {1, 1},
	    .before = {1, 1}, .after = {1, 1}}, false},
	{"3x3 by channel", {.x = {1, 64, 56, 56}, .k = {64, 1, 3, 3}, .y = {1, 64, 56, 56}, .strides = {1, 1}, .dilations = {1, 1},
	    .before = {1, 1}, .after = {1, 1}}, false},
	{"3x3, dilated", {.x = {1, 32, 28, 28}, .k = {32, 32, 3, 3}, .y = {1, 32, 28, 28}, .strides = {1, 1}, .dilations = {2, 2},
	    .before = {2, 2}, .after = {2, 2}}, false},
	{"2x2 the other way", {.x = {1, 128, 28, 28}, .k = {128, 64, 2, 2}, .y = {1, 64, 56, 56}, .strides = {2, 2}, .dilations = {1, 1},
	    .is_transposed = true}, false},
};

/* prints the plans; there must be some where they are needed, and none that wants more than it may */
static void
check(const char *what, const struct opgraph_device *device, const struct opgraph_conv *c, size_t bound, bool is_needed)
{
	struct opgraph g;
	struct tn_error e = {0};
	bool ok = opgraph_make(&g, device, c, bound, &e);
	int i;

	printf("%s%s%s, %s:", what, c->has_bias ? ", bias" : "", c->has_relu ? ", relu" : "", device->tf32 ? "TF32" : "f32");
	for (i = 0; i < g.nplan; i++) {
		printf(" engine %" PRId64 " with %" PRId64 " bytes", g.plan[i].engine, g.plan[i].workspace);
		failures += g.plan[i].workspace < 0 || (uint64_t)g.plan[i].workspace > bound;
	}
	puts(ok ? "" : " none");
	if (!ok && (is_needed || e.code != TN_E_INPUT)) {
		failures++;
		printf("%s\n", e.msg);
	}
	opgraph_free(&g);
}

int
main(void)
{
	struct opgraph_device device = {0};
	size_t i;

	if (!describe_device(&device)) {
		printf("cuDNN %zu takes no properties of a device\n", cudnnGetVersion());
		return 77;
	}
	for (device.tf32 = false, i = 0; i < sizeof convs / sizeof *convs; i++) {
		struct opgraph_conv c = convs[i].conv;

		check(convs[i].what, &device, &c, 64 << 20, true);
		check(convs[i].what, &device, &c, 0, false);
		c.has_bias = true;
		check(convs[i].what, &device, &c, 64 << 20, false);
		c.has_relu = true;
		check(convs[i].what, &device, &c, 64 << 20, convs[i].has_act);
	}
	for (device.tf32 = true, i = 0; i < sizeof convs / sizeof *convs; i++) {
		struct opgraph_conv c = convs[i].conv;

		check(convs[i].what, &device, &c, 64 << 20, true);
		check(convs[i].what, &device, &c, 2 << 20, false);
	}
	cudnnBackendDestroyDescriptor(device.properties);
	return failures != 0;
}

#else

int
main(void)
{
	puts("cuDNN's headers are older than 9.8");
	return 77;
}

#endif
